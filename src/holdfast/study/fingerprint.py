"""What something is, as a short text that is the same in every process and on every machine."""

from __future__ import annotations

import copyreg
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.exceptions import InputError

# They change how fast a result comes and what is shown meanwhile, never the result.
WITHOUT_EFFECT = frozenset({"n_jobs", "verbose", "callback", "max_bytes", "cache_size", "memory"})


def digest(value: Any) -> str:
    """128 bits of the value's canonical form, in hexadecimal."""
    try:
        form = canonical(value)
    except RecursionError as error:
        raise InputError(
            f"A study cannot tell two of {type(value).__name__} apart: it holds itself."
        ) from error
    text = json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def canonical(value: Any) -> Any:
    """The value as JSON would hold it; estimators by class, version and parameters.

    Raises where something has no lasting identity, such as a random generator with a state.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, np.floating)):
        return {"float": float(value).hex()}
    if isinstance(value, (np.bool_, np.integer)):
        return value.item()
    if isinstance(value, complex):
        return {"complex": [value.real.hex(), value.imag.hex()]}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": value.hex()}
    if isinstance(value, np.ndarray):
        return {"array": digest_of_array(value)}
    if isinstance(value, Mapping):
        return {"map": sorted(([canonical(k), canonical(v)] for k, v in value.items()), key=repr)}
    if isinstance(value, (set, frozenset)):
        return {"set": sorted((canonical(v) for v in value), key=repr)}
    if isinstance(value, (list, tuple, range)):
        return [canonical(one) for one in value]
    if isinstance(value, type):
        return {"class": _name_of(value)}
    if isinstance(value, FunctionType):
        return _function(value)
    if isinstance(value, MethodType):
        return {"method": value.__func__.__name__, "of": canonical(value.__self__)}
    return _object(value)


def digest_of_array(array: NDArray[Any]) -> str:
    """Type, shape and content."""
    if array.dtype.hasobject:
        return digest([str(array.shape), [repr(one) for one in array.ravel().tolist()]])
    found = hashlib.sha256(f"{array.dtype.str}{array.shape}".encode())
    found.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return found.hexdigest()[:32]


def _object(value: Any) -> Any:
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        raise InputError(
            "A study needs whole numbers as random_state: a generator has another state each time "
            f"it is used. Got {value!r} instead."
        )
    kind = type(value)
    own = {"object": _name_of(kind), "version": _version(kind.__module__)}
    if hasattr(value, "get_params"):
        content = value.get_params(deep=False)
        kept = {name: one for name, one in content.items() if name not in WITHOUT_EFFECT}
        return {**own, **canonical(kept)}
    if hasattr(value, "toarray") and hasattr(value, "tocsr"):
        rows = value.tocsr().copy()
        rows.sum_duplicates()
        parts = [list(rows.shape), rows.data, rows.indices, rows.indptr]
        return {**own, "sparse": canonical(parts)}
    if isinstance(value, BuiltinFunctionType) and not isinstance(value.__self__, ModuleType):
        return {"method": value.__name__, "of": canonical(value.__self__)}
    try:
        # What a copy of it would be made from.
        registered = copyreg.dispatch_table.get(kind)
        made_of = registered(value) if registered else value.__reduce_ex__(2)
    except Exception:
        made_of = None
    if isinstance(made_of, str):
        return {"named": f"{getattr(value, '__module__', '')}.{made_of}"}
    if made_of is None:
        raise InputError(
            f"A study cannot tell two of {value!r} apart, so it could not resume. Use plain values,"
            " arrays, functions and estimators as parameters."
        )
    maker, arguments, *state = made_of
    # Parts of containers come as iterators, which serve once.
    state = [list(one) if isinstance(one, Iterator) else one for one in state]
    return {**own, "maker": _name_of(maker), "of": canonical([list(arguments), state])}


def _function(value: FunctionType) -> Any:
    inner = [cell.cell_contents for cell in value.__closure__ or () if not _empty(cell)]
    return {
        "function": _name_of(value),
        "code": _code_of(value.__code__),
        "with": canonical([inner, value.__defaults__, value.__kwdefaults__]),
    }


def _empty(cell: CellType) -> bool:
    try:
        return cell.cell_contents is None
    except ValueError:
        return True


def _name_of(thing: Any) -> str:
    return f"{thing.__module__}.{getattr(thing, '__qualname__', thing.__name__)}"


@cache
def _packages() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


def _version(module: str) -> str:
    """Version of the distribution a module came with; empty for one's own scripts."""
    package = module.partition(".")[0]
    known = getattr(sys.modules.get(package), "__version__", None)
    if isinstance(known, str):
        return known
    owners = _packages().get(package, [])
    return metadata.version(owners[0]) if owners else ""


def _code_of(code: CodeType) -> str:
    inner = [
        _code_of(one)
        if isinstance(one, CodeType)
        # The order of a set is another in each process.
        else repr(sorted(map(repr, one)) if isinstance(one, frozenset) else one)
        for one in code.co_consts
    ]
    text = code.co_code.hex() + repr((code.co_names, inner))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
