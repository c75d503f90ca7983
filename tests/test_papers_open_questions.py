"""What the papers left open: verdicts against the pilots, and what every experiment must say."""

import pytest

from littlestone.papers import load, reproduce

pytest.importorskip("matplotlib")
pytest.importorskip("joblib")

EXACTLY, STATISTICALLY = "confirmed exactly", "confirmed statistically"
VERDICTS = {
    "noise": STATISTICALLY, "real-data": "not checkable", "vaidya": EXACTLY, "later-learners": EXACTLY,
    "o-k-n": STATISTICALLY, "bayes-beg-noise": EXACTLY, "poisson-reading": EXACTLY, "growing-dnf": STATISTICALLY,
}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("LITTLESTONE_DATA", raising=False)
        done = reproduce("open_questions", out=tmp_path_factory.mktemp("open"))
    return {one.result.key: one for one in done}


def test_every_question_has_its_verdict(found):
    assert {key: str(one.verdict) for key, one in found.items()} == VERDICTS


def test_an_experiment_says_its_question_and_what_it_does_and_does_not_show(found):
    for key, one in found.items():
        assert "Question:" in one.result.claim or "left open" in one.result.claim, key
        assert "Design:" in one.result.claim, key
        if VERDICTS[key] != "not checkable":
            assert "It shows" in one.outcome.note, key
            assert "does not" in one.outcome.note, key
            assert one.outcome.tables or one.outcome.figures or key == "poisson-reading", key


def test_without_data_it_says_where_to_put_it(found):
    assert "LITTLESTONE_DATA" in found["real-data"].outcome.evidence


def test_real_data_is_part_of_what_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("LITTLESTONE_DATA", str(tmp_path))
    (tmp_path / "vote.libsvm.gz").touch()
    result = next(one for one in load("open_questions").results if one.key == "real-data")
    assert [(unit["name"], unit["folder"]) for unit in result.units(full=False)][4:] == [("vote", str(tmp_path))]


def test_real_data_in_file_order(data_folder):
    """The mistakes on sets of real rows are those of the reference, one by one."""
    del data_folder
    result = next(one for one in load("open_questions").results if one.key == "real-data")
    chosen = [unit for unit in result.units(full=False) if unit["name"] in ("vote", "badges", "splice")]
    from littlestone.papers.open_questions.real_data import TOLD

    for unit in chosen:
        assert tuple(result.part(seed=0, **unit)["games"][0]) == TOLD[unit["name"]]
    assert len(chosen) == 3
