"""The built site, once for all slow tests of it."""

import subprocess
import sys
from pathlib import Path

import pytest

from docs.building.places import ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Build the whole site anew, and return the folder of its pages."""
    for name in ("sphinx", "pydata_sphinx_theme", "myst_parser", "sphinx_design", "sphinx_gallery", "latex2mathml"):
        pytest.importorskip(name, reason="make .venv/docs installs what builds the site")
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "docs.building", "--quiet", "--folder", folder]
    made = subprocess.run([*map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    assert "WARNING" not in made.stdout + made.stderr
    return Path(folder) / "html"
