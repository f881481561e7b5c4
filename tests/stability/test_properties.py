"""The property table is found out, not believed."""

import pytest

from holdfast.stability import MEASURES, PROPERTIES
from tests.stability.judges import JUDGES, mean_of_many_runs
from tests.stability.paper_table import PUBLISHED
from tests.stability.properties import find, kept, search

ASKED = [(key, name) for key in MEASURES for name in PROPERTIES if name in MEASURES[key].asked]
OF_SUBSETS = [
    (key, name) for key, name in ASKED if not MEASURES[key].needs & {"weights", "weights or ranks"}
]


@pytest.mark.parametrize(("key", "name"), ASKED)
def test_what_is_found_is_what_the_measure_claims(key, name):
    finding = find(MEASURES[key], name)
    assert finding.holds == (name in MEASURES[key].properties), finding.witness


@pytest.mark.parametrize(("key", "name"), OF_SUBSETS)
def test_random_search_alone_finds_the_same(key, name):
    finding = search(MEASURES[key], name)
    assert finding.holds == (name in MEASURES[key].properties), finding.witness
    if finding.holds:
        assert finding.n_cases >= 20


@pytest.mark.parametrize(("key", "name"), OF_SUBSETS)
def test_each_missing_tick_has_a_small_counter_example_to_show(key, name):
    witness = kept(MEASURES[key], name)
    assert (witness is None) == (name in MEASURES[key].properties)
    if witness:
        assert JUDGES[name](MEASURES[key], witness.systems)
        assert witness.systems[0].n_features <= 10


@pytest.mark.parametrize("key", PUBLISHED)
def test_table_1_of_the_2016_paper(key):
    assert MEASURES[key].properties == PUBLISHED[key]


def test_no_measure_claims_what_it_is_not_asked():
    for measure in MEASURES.values():
        assert measure.properties <= measure.asked


@pytest.mark.parametrize("key", ["nogueira2018", "sechidis"])
def test_chance_holds_in_the_limit_where_sizes_differ(key):
    assert abs(mean_of_many_runs(key)) < 0.05
