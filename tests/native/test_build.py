"""Building the extension module, as far as it takes no compiling: how what compiles finds its packages."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = """
import os
from native.build import _compile
assert _compile({}, "x86-64-v2", ".") == []
print(os.environ["PYTHONPATH"])
"""


def test_packages_that_pip_installs_for_building_alone_are_still_found(tmp_path):
    """Pip names their folder in PYTHONPATH: in a new environment NumPy is nowhere else."""
    given = os.pathsep.join([str(ROOT), str(tmp_path)])
    done = subprocess.run([sys.executable, "-c", BUILD], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": given})  # fmt: skip
    assert str(tmp_path) in done.stdout.strip().split(os.pathsep)
