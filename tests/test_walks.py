"""How many files one reads to follow a game, an example and a training does not grow."""

import re
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "walks.py"
MOST = [23, 12, 42]  # as of now; train leads a whole model: reading, scaling, calibration, decision, record


def test_walks_are_no_longer_than_they_were():
    done = subprocess.run([sys.executable, str(SCRIPT), "--files"], capture_output=True, text=True, check=True)
    counts = [int(count) for count in re.findall(r"\| (\d+) \| \d+ \|", done.stdout)]
    assert len(counts) == len(MOST)
    assert all(count <= most for count, most in zip(counts, MOST, strict=True)), done.stdout
    assert "streams/formats/svmlight.py" in done.stdout
    assert "engine/" not in done.stdout
