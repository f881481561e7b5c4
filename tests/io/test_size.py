"""A million lines: read whole, or refused at the last one."""

import numpy as np
import pytest

import holdfast as hf
from holdfast.exceptions import FileFormatError

N_RUNS, N_CHOSEN, N_FEATURES = 1000, 1000, 10_000


@pytest.fixture(scope="module")
def big_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("size") / "pairs.csv"
    features = (np.arange(N_CHOSEN) * 7).tolist()
    with path.open("w") as file:
        file.write("run,feature\n")
        for run in range(N_RUNS):
            file.writelines(f"run {run},gene_{(f + run) % N_FEATURES}\n" for f in features)
    return path


def test_a_million_lines(big_file):
    runs = hf.read_selections(big_file, n_features=N_FEATURES)
    assert (runs.n_runs, runs.indices.size) == (N_RUNS, N_RUNS * N_CHOSEN)
    assert np.all(runs.sizes == N_CHOSEN)
    gene_0 = runs.feature_names.index("gene_0")
    assert runs.frequencies[gene_0] == sum((-7 * f) % N_FEATURES < N_RUNS for f in range(N_CHOSEN))


def test_the_line_after_a_million(big_file, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(big_file.read_text() + "run 0,gene_0\n")
    with pytest.raises(FileFormatError, match="'gene_0' of run 'run 0' again, first on line 2"):
        hf.read_selections(path, n_features=N_FEATURES)
