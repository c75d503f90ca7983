"""What the papers left open: verdicts against the pilots, and what every experiment must say."""

import gzip

import pytest

from littlestone.papers import load, reproduce
from littlestone.papers.open_questions import data

pytest.importorskip("matplotlib")
pytest.importorskip("joblib")

EXACTLY, STATISTICALLY = "confirmed exactly", "confirmed statistically"
VERDICTS = {
    "noise": "not confirmed", "real-data": "not checkable", "vaidya": EXACTLY, "later-learners": EXACTLY,
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


def test_the_crossing_that_the_pilot_saw_is_the_one_comparison_that_fails(found):
    outcome = found["noise"].outcome
    wrong = [one.what for one in outcome.claimed if not one.holds]
    assert wrong == ["R1, 1.0% noise: averaged Perceptron less Winnow"]
    assert "too near to tell" in outcome.evidence  # a full run corrects it


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
    for unit in chosen:
        assert tuple(result.part(seed=0, **unit)["games"][0]) == data.RECORDED[unit["name"]]
    assert len(chosen) == 3


def _real(name, games, n=32, active=15.0):
    return {"name": name, "games": [games], "rows": 100, "n": n, "active": active, "k": 2, "errors": 0.1, "real": True}


@pytest.mark.parametrize(("games", "verdict"), [((45, 34, 34), EXACTLY), ((45, 34, 35), "not confirmed")])
def test_one_set_is_judged_without_correlations(games, verdict):
    result = next(one for one in load("open_questions").results if one.key == "real-data")
    outcome = result.check([_real("vote", games)], seed=0, large=False, orders=1)
    assert outcome.verdict == verdict
    assert len(outcome.tables) == 1


def test_attributes_of_a_row_are_counted_once_in_streams_of_many_blocks(tmp_path):
    rows = 9_000  # more than a block
    with gzip.open(tmp_path / "long.libsvm.gz", "wt") as file:
        file.writelines(f"{(-1) ** row} {1 + row % 3}:1 {4 + row % 2}:1\n" for row in range(rows))
    found = data._play(seed=0, name="long", folder=str(tmp_path), orders=1)
    assert (found["rows"], found["n"], found["active"]) == (rows, 5, 2.0)


def test_equal_values_share_their_rank():
    assert data._ranks([3.0, 1.0, 3.0, 7.0]).tolist() == [1.5, 0.0, 1.5, 3.0]


def test_terms_are_given_where_the_rule_is_known(found):
    table = found["growing-dnf"].outcome.tables[0]
    assert {row[0]: row[2] for row in table.rows} == {"tic-tac-toe": 8, "monks 1": 4, "monks 2": 142, "monks 3": 7}
