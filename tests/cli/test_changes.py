"""littlestone train --changes: where mistakes become more frequent, as ChangeDetector has it."""

import json

import numpy as np
import pytest

import littlestone as ls
from tests.cli.test_train import call


@pytest.fixture
def shifting(tmp_path):
    """6,000 rows of one target, and 6,000 of another."""
    rng, path = np.random.default_rng(0), tmp_path / "shifting.svm"
    X = rng.random((12_000, 50)) < 0.2
    y = np.concatenate((X[:6000, :3].any(axis=1), X[6000:, 20:23].any(axis=1)))
    lines = (
        f"{2 * int(label) - 1} {' '.join(f'{i + 1}:1' for i in np.flatnonzero(row))}\n"
        for row, label in zip(X, y, strict=True)
    )
    path.write_text("".join(lines))
    return path


def test_a_change_is_told_and_reported(shifting):
    words = ("train", shifting, "-l", "winnow:alpha=1.2", "--changes")
    (change,) = ls.play(ls.Winnow(alpha=1.2), ls.open(shifting)).changes()
    told = call(*words).stderr
    assert f"change: more mistakes from about example {change.began + 1:,} on: {change.after:.1%}, and " in told
    assert 5900 < change.began < 6100
    (found,) = json.loads(call(*words, "--json").stdout)["changes"]
    assert found == {
        "began": change.began + 1,
        "noticed": change.noticed + 1,
        "before": change.before,
        "after": change.after,
    }
    assert "change:" not in call(*words, "-q").stderr


def test_nothing_is_told_where_nothing_changes(shifting, tmp_path):
    words = ("train", shifting, "-l", "winnow:alpha=1.2", "--changes", "-t", 6000, "-p", tmp_path / "said")
    done = call(*words, "--json")
    assert json.loads(done.stdout)["changes"] == []
    assert len((tmp_path / "said").read_text().splitlines()) == 6000
    assert "changes" not in json.loads(call("train", shifting, "-l", "winnow:alpha=1.2", "--json").stdout)
