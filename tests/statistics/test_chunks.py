"""Data in parts give what the whole gives, to the last bit, wherever the parts come from."""

from __future__ import annotations

from itertools import pairwise

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.consistency import CWC, INTERACT, LCC, gathering, passes
from holdfast.discretisers import EqualWidth
from holdfast.exceptions import InconsistentDataWarning, InputError
from holdfast.rankers import ChiSquare, InformationGain, SymmetricalUncertainty
from holdfast.statistics import chunks as chunks_module
from holdfast.statistics.chunks import Chunks
from holdfast.statistics.columns import Names
from holdfast.statistics.counts import Counts
from tests.statistics.strategies import discrete

RANKERS = [InformationGain(), ChiSquare(), SymmetricalUncertainty()]
inconsistent = pytest.mark.filterwarnings("ignore::holdfast.exceptions.InconsistentDataWarning")


@st.composite
def cut(draw, **sizes):
    """A table, its classes, and both in parts of any lengths, some empty."""
    table, y = draw(discrete(**sizes))
    places = draw(st.lists(st.integers(0, len(y)), max_size=4))
    edges = [0, *sorted(places), len(y)]
    parts = [(table[a:b], y[a:b]) for a, b in pairwise(edges)]
    return table, y, parts


@given(cut())
@settings(max_examples=60)
def test_rankers_score_the_same_in_parts(case):
    table, y, parts = case
    chunks = Chunks.from_parts(parts)
    for ranker in RANKERS:
        np.testing.assert_array_equal(ranker.score(chunks), ranker.score(table, y))


@given(cut())
@settings(max_examples=30)
def test_merging_is_associative_and_in_any_order(case):
    _, _, parts = case
    counts = [Counts.from_chunk(X, y, Names(), "t") for X, y in parts]
    ahead, back = counts[0], counts[-1]
    for one in counts[1:]:
        ahead = ahead.merge(one)
    for one in counts[-2::-1]:
        back = one.merge(back)
    assert ahead.levels.equals(back.levels)
    np.testing.assert_array_equal(ahead.table, back.table)
    np.testing.assert_array_equal(ahead.of_classes, back.of_classes)


def assert_same(ours, whole, *attributes):
    for name in ("support_", "order_", "classes_", "n_features_in_", *attributes):
        np.testing.assert_array_equal(getattr(ours, name), getattr(whole, name), err_msg=name)


@inconsistent
@given(cut(max_examples=60, max_features=8), st.sampled_from([1, 1 << 28]), st.sampled_from([0, 9]))
@settings(max_examples=60)
@pytest.mark.parametrize("denoise", ["moderate", "aggressive", None])
def test_cwc_is_the_same_in_parts(denoise, case, room, waiting):
    table, y, parts = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "ROOM", room)
        patch.setattr(gathering, "WAITING", waiting)
        ours = CWC(denoise).fit(Chunks.from_parts(parts))
    attributes = "consistent_", "noise_", "n_removed_", "witnesses_"
    assert_same(ours, CWC(denoise).fit(table, y), *attributes)


@inconsistent
@given(cut(max_examples=60, max_features=8), st.sampled_from([0, 0.01, 0.1, 0.4]))
@settings(max_examples=40)
@pytest.mark.parametrize("measure", ["icr", "rs", "ce"])
def test_lcc_is_the_same_in_parts(measure, case, threshold):
    table, y, parts = case
    ours = LCC(threshold, measure).fit(Chunks.from_parts(parts))
    assert_same(ours, LCC(threshold, measure).fit(table, y), "inconsistency_", "threshold_")


class Narrow(passes.RowHashes):
    """Row hashes of few bits at first: different rows collide."""

    def __init__(self, codes, bits=64, seed=0):
        super().__init__(codes, min(64, 2 + 8 * (seed % 1000) + 16 * (seed // 1000)), seed)


@inconsistent
@given(cut(max_examples=60, max_features=8))
@settings(max_examples=60)
def test_collisions_of_hashes_change_nothing(case):
    table, y, parts = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passes, "RowHashes", Narrow)
        for selector in (CWC("moderate"), CWC("aggressive"), LCC(0.0), LCC(0.1)):
            ours = selector.fit(Chunks.from_parts(parts)).support_
            np.testing.assert_array_equal(ours, selector.fit(table, y).support_)


@inconsistent
def test_given_orders_and_long_ends():
    rng = np.random.default_rng(0)
    table = rng.integers(0, 2, (300, 300))
    y = table[:, 250:].sum(axis=1) % 2
    chunks = Chunks.from_parts([(table[:100], y[:100]), (table[100:], y[100:])])
    order = rng.permutation(300)
    ours, whole = CWC(order=order).fit(chunks), CWC(order=order).fit(table, y)
    assert_same(ours, whole, "witnesses_")
    twins = np.repeat(table[:, :1], 300, axis=1)
    twins[:, 0] = table[:, 1]
    chunks = Chunks.from_parts([(twins, table[:, 0] ^ table[:, 1])])
    assert CWC(order=np.arange(300)).fit(chunks).get_support(indices=True).tolist() == [0, 299]


def data():
    """Numbers, text, missing values, and columns of which no part has all values."""
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame(
        {
            "small": rng.integers(0, 4, n),
            "wide": rng.integers(0, 50, n) * 10**9,
            "text": rng.choice(["a", 'b "quoted"', "c, with\na break"], n),
            "grows": np.arange(n) // 40,
            "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.integers(-2, 2, n)),
            "flag": rng.random(n) < 0.5,
        }
    )
    late = np.where(np.arange(n) < 300, "first", "late")
    y = np.where(frame["small"] + frame["flag"] > 2, late, np.where(frame["gaps"] < 0, "x", "y"))
    return frame, y


def as_csv(frame, folder):
    frame.to_csv(folder / "data.csv", index=False)
    return Chunks.from_csv(folder / "data.csv", "y", chunk_rows=37)


def as_parquet(frame, folder):
    pl.from_pandas(frame).write_parquet(folder / "data.parquet", row_group_size=50)
    return Chunks.from_parquet(folder / "data.parquet", "y", chunk_rows=37)


def as_several_files(frame, folder):
    pl.from_pandas(frame[:100]).write_parquet(folder / "a.parquet")
    pl.from_pandas(frame[100:]).write_parquet(folder / "b.parquet")
    return Chunks.from_parquet(folder / "*.parquet", "y", chunk_rows=64)


def as_dask(frame, folder):
    return Chunks.from_dask(dd.from_pandas(frame, npartitions=7), "y")


def as_frames(frame, folder):
    return Chunks.from_parts([(p.drop(columns="y"), p["y"]) for p in (frame[:90], frame[90:])])


@inconsistent
@pytest.mark.parametrize("made", [as_csv, as_parquet, as_several_files, as_dask, as_frames])
def test_files_and_partitions_are_the_whole(made, tmp_path):
    frame, y = data()
    chunks = made(frame.assign(y=y), tmp_path)
    assert chunks.names == list(frame.columns)
    for ranker in RANKERS:
        np.testing.assert_array_equal(ranker.score(chunks), ranker.score(frame, y))
    for selector in (CWC(), CWC("aggressive"), LCC(0.05)):
        whole = selector.fit(frame, y)
        support, names = whole.support_, whole.get_feature_names_out()
        ours = selector.fit(chunks)
        np.testing.assert_array_equal(ours.support_, support)
        np.testing.assert_array_equal(ours.get_feature_names_out(), names)
        assert ours.transform(frame).shape == (400, support.sum())


@inconsistent
def test_dask_arrays_in_blocks_of_both_directions():
    rng = np.random.default_rng(1)
    table, y = rng.integers(0, 3, (200, 12)), rng.integers(0, 2, 200)
    chunks = Chunks.from_dask(da.from_array(table, (60, 5)), da.from_array(y, 60))
    np.testing.assert_array_equal(
        InformationGain().score(chunks), InformationGain().score(table, y)
    )
    assert_same(CWC().fit(chunks), CWC().fit(table, y))
    with pytest.raises(InputError, match="as many partitions"):
        Chunks.from_dask(da.from_array(table, (60, 12)), da.from_array(y, 100))
    with pytest.raises(InputError, match="a Dask collection"):
        Chunks.from_dask(table, y)


@inconsistent
@pytest.mark.parametrize("made", ["parts", "dask"])
def test_continuous_parts_through_a_fitted_discretiser(made):
    rng = np.random.default_rng(0)
    table = rng.normal(size=(300, 6))
    y = (table[:, 0] + table[:, 3] > 0).astype(int)
    chunks = {
        "parts": lambda: Chunks.from_parts([(table[:120], y[:120]), (table[120:], y[120:])]),
        "dask": lambda: Chunks.from_dask(da.from_array(table, (90, 6)), da.from_array(y, 90)),
    }[made]()
    with pytest.raises(InputError, match="must be discrete"):
        InformationGain().score(chunks)
    for refusing in (
        lambda: CWC(discretiser="mdl").fit(chunks),
        lambda: ChiSquare("mdl").score(chunks),
    ):
        with pytest.raises(InputError, match=r"None where X is Chunks.*transformed"):
            refusing()
    fitted = EqualWidth().fit(table)
    levels = chunks.transformed(fitted.transform)
    whole = fitted.transform(table)
    np.testing.assert_array_equal(
        InformationGain().score(levels), InformationGain().score(whole, y)
    )
    assert_same(CWC().fit(levels), CWC().fit(whole, y))


def test_only_what_is_needed_is_read(tmp_path, monkeypatch):
    frame, y = data()
    chunks = as_parquet(frame.assign(y=y), tmp_path)
    assert next(chunks.map(lambda X, y: X.columns, np.array([1, 4]))) == ["wide", "gaps"]
    first = chunks.counts("t")
    monkeypatch.setattr(chunks, "_source", None)  # read no more
    assert chunks.counts("t") is first


def test_refusals(tmp_path):
    frame, y = data()
    path = tmp_path / "data.csv"
    frame.assign(y=y).to_csv(path, index=False)
    with pytest.raises(InputError, match=r"'target' parameter.*'class'"):
        Chunks.from_csv(path, "class")
    with pytest.raises(InputError, match=r"'chunk_rows'.*Got 0"):
        Chunks.from_csv(path, "y", chunk_rows=0)
    with pytest.raises(InputError, match="at least one part"):
        Chunks.from_parts([])
    one_class = Chunks.from_parts([(np.zeros((2, 1), int), np.array([1, 1]))])
    with pytest.raises(InputError, match="at least 2 classes"):
        CWC().fit(one_class)
    with pytest.raises(InputError, match="INTERACT must be there as a whole"):
        INTERACT().fit(Chunks.from_parts([(frame[["small"]], y)]))
    with pytest.raises(InputError, match="one of counts"):
        LCC(measure="interclass").fit(Chunks.from_parts([(frame[["small"]], y)]))
    mixed = [(pd.DataFrame({"a": [1, 2]}), [0, 1]), (pd.DataFrame({"a": ["x", "y"]}), [0, 1])]
    with pytest.raises(InputError, match="numbers in one part of the data and text in another"):
        InformationGain().score(Chunks.from_parts(mixed))


def test_data_that_change_between_passes_are_noticed():
    tables = iter([np.array([[0], [1]])] * 3 + [np.array([[0], [7]])] * 9)
    chunks = Chunks.from_parts(lambda: [(next(tables), np.array([0, 1]))])
    with pytest.raises(InputError, match="changed between two passes: column 0 has a new value"):
        CWC().fit(chunks)


def test_a_column_that_changes_its_type_is_refused(tmp_path):
    path = tmp_path / "late.csv"
    rows = "".join(f"{i % 3},{i % 2}\n" for i in range(10_500))
    path.write_text("a,y\n" + rows + "text,0\n")
    with pytest.raises(InputError, match="changes its type"):
        InformationGain().score(Chunks.from_csv(path, "y"))


def test_the_warning_is_the_same_in_parts():
    table, y = np.zeros((4, 2), int), np.array([0, 0, 0, 1])
    with pytest.warns(InconsistentDataWarning) as in_parts:
        CWC().fit(Chunks.from_parts([(table, y)]))
    with pytest.warns(InconsistentDataWarning) as whole:
        CWC().fit(table, y)
    assert str(in_parts[0].message) == str(whole[0].message)
    assert in_parts[0].filename == whole[0].filename == __file__


def test_parts_of_a_file_hold_about_as_many_cells_by_default(tmp_path, monkeypatch):
    frame, y = data()
    monkeypatch.setattr(chunks_module, "CELLS", 600)
    frame.assign(y=y).to_csv(tmp_path / "a.csv", index=False)
    heights = list(Chunks.from_csv(tmp_path / "a.csv", "y").map(lambda X, y: len(y)))
    assert sum(heights) == 400
    assert 3 <= len(heights) <= 6
