"""What all tests share."""

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
