"""What all tests share."""

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "littlestone", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("littlestone")


@pytest.fixture(scope="session")
def data_folder():
    """The folder of real data that LITTLESTONE_DATA names."""
    folder = os.environ.get("LITTLESTONE_DATA")
    if not folder:
        pytest.skip("LITTLESTONE_DATA names no folder of real data")
    return Path(folder)


@pytest.fixture(scope="module")
def outcomes(request, tmp_path_factory):
    """One quick run of the PAPER of a module: outcomes by the keys of the results."""
    from littlestone.papers import reproduce

    done = reproduce(request.module.PAPER, out=tmp_path_factory.mktemp("paper"), workers=1)
    return {one.result.key: one.outcome for one in done}


@pytest.fixture
def real_set(data_folder):
    """Return a function that reads one set of the real data, rows and labels."""

    def read(name):
        from sklearn.datasets import load_svmlight_file

        path = data_folder / f"{name}.libsvm.gz"
        if not path.exists():
            pytest.skip(f"{path.name} is not in LITTLESTONE_DATA")
        with gzip.open(path) as file:
            return load_svmlight_file(file, zero_based=False)

    return read
