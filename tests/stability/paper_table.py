"""Table 1 of Nogueira & Brown (2016): the properties as published."""

from __future__ import annotations

from holdfast.stability import PROPERTIES

# One mark for each property, in the order of the paper (and of PROPERTIES).
_ROWS = {
    "jaccard": "xx-xx-",
    "hamming": "xx-xx-",
    "yu": "xx-xxx",
    "kuncheva": "xxx-x-",
    "lustgarten": "-xxxx-",
    "wald": "-xxxx-",
    "npog": "-xxx--",
    "npogr": "-xxx-x",
    "cw_rel": "xx-xx-",
    "krizek": "xx--x-",
}
PUBLISHED = {
    key: frozenset(name for name, mark in zip(PROPERTIES, marks, strict=True) if mark == "x")
    for key, marks in _ROWS.items()
}
