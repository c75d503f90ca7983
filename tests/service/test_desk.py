"""A desk: what it says was done is done, once, and is there after every restart."""

import random
import subprocess
import sys

import pytest

import littlestone as ls
from littlestone.models.saving import load
from littlestone.service.desk import Desk
from littlestone.service.journal.journal import entries_of
from littlestone.service.options import Limits, Options
from littlestone.service.verifying import verify
from littlestone.service.wire import (
    Ask,
    Clone,
    Create,
    Describe,
    Explain,
    Forget,
    Gone,
    Health,
    Label,
    Learn,
    Made,
    Predict,
    Problem,
    Remove,
    Switch,
    Upload,
)  # fmt: skip
from tests.service.desks import QUICK, begun, examples, file_of, taught
from tests.service.test_amending import settled


def test_it_learns_and_predicts(tmp_path):
    with begun(tmp_path) as desk:
        rows, labels = taught(desk, 300)
        [said, health, about] = desk.handle([Predict("m", rows[:50]), Health(), Describe("m")])
        assert said.after == 300 and not said.refused
        assert sum(a == b for a, b in zip(said.predictions, labels, strict=False)) > 40
        assert all(0.5 <= share <= 1 for share in said.probabilities)
        assert health.stuck is None and health.models == 1
        assert about.models[0]["number"] == about.models[0]["trials"] == 300


def test_a_restart_gives_the_same_bytes(tmp_path):
    desk = begun(tmp_path / "a")
    taught(desk, 100)
    before = file_of(desk)
    desk.abandon()
    for close in (Desk.abandon, Desk.close, Desk.abandon):
        desk = Desk(tmp_path / "a", QUICK)
        assert file_of(desk) == before
        close(desk)


@pytest.mark.parametrize("learner", ["auto", "arow", "perceptron", "balanced-winnow:theta=1", "multiclass-perceptron"])
def test_how_requests_are_grouped_does_not_matter(tmp_path, learner):
    rng, requests = random.Random(7), []
    rows, labels = examples(120, 3)
    for at in range(0, 120, 4):
        if at % 3 == 0:
            requests.append(Ask("m", rows[at : at + 4], [f"i{one}" for one in range(at, at + 4)]))
        else:
            weights = [1.0, 2.0, 0.5, 1.0] if at % 5 == 0 else None
            requests.append(Learn("m", rows[at : at + 4], [*labels[at : at + 3], "third"], weights))
        if at % 7 == 0:
            requests.append(Label("m", [f"i{one}" for one in range(at - 20, at)], labels[max(at - 20, 0) :][:20]))
    found = []
    for many in (1, 3, 1000):
        desk = Desk(tmp_path / str(many), QUICK)
        desk.handle([Create("m", learner, labels=["no", "yes"])])
        replies = []
        while len(replies) < len(requests):
            some = requests[len(replies) : len(replies) + rng.randint(1, many)]
            replies += desk.handle(some)
            if rng.random() < 0.1:
                desk.close() if rng.random() < 0.5 else desk.abandon()
                desk = Desk(tmp_path / str(many), QUICK)
        found.append((replies, file_of(desk)))
        desk.close()
    assert found[0] == found[1] == found[2]
    assert any(getattr(one, "refused", None) for one in found[0][0])


def test_neighbours_without_keys_are_one_entry(tmp_path):
    with begun(tmp_path / "a") as desk, begun(tmp_path / "b") as other:
        desk.handle([Create("n", "arow", labels=["no", "yes"])])
        rows, labels = examples(12, 5)
        alone = [Learn("m", [row], [label]) for row, label in zip(rows, labels, strict=True)]
        keyed, beside = Learn("m", rows[:2], labels[:2], once="k"), Learn("n", rows[:1], labels[:1])
        wrong = Learn("m", rows[:1], [None])
        long = Learn("m", [{"w" * 40_000: 1}] * 2, ["no"] * 2)
        group = [*alone[:5], wrong, *alone[5:7], keyed, *alone[7:], beside, alone[0], long, alone[1]]
        replies = desk.handle(group)
        entries = [(one.model, one.first, one.size) for one in entries_of(desk.journal.connection, None)][2:]
        assert entries == [(1, 1, 7), (1, 8, 2), (1, 10, 5), (2, 1, 1), (1, 15, 1), (1, 16, 2), (1, 18, 1)]
        numbers = [one.numbers() for one in replies if not isinstance(one, Problem) and one.model == "m"]
        assert [n for some in numbers for n in some] == list(range(1, 19))
        desk.handle([Forget("m", 3)])  # in the middle of an entry
        settled(desk)
        other.handle([one for at, one in enumerate(group) if at != 2 and one is not beside])
        about, same = (one.handle([Describe("m")])[0].models[0] for one in (desk, other))
        assert about["trials"] == same["trials"] == 17
        assert desk.handle([Predict("m", rows)])[0].probabilities == other.handle([Predict("m", rows)])[0].probabilities
    assert verify(tmp_path / "a", replay=True).is_sound


def test_a_key_is_applied_once_and_gets_the_first_answer(tmp_path):
    desk = begun(tmp_path)
    rows, labels = examples(3)
    first = Learn("m", rows, labels, once="k")
    one, two, other = desk.handle([first, first, Learn("m", rows[:1], labels[:1], once="k")])
    assert one == two and one.count == 3
    assert other.status == 422 and other.kind == "key"
    assert desk.handle([first]) == [one]
    desk.abandon()
    desk = Desk(tmp_path, QUICK)
    assert desk.handle([first, Ask("m", rows, [1, 2, 3], once="k")])[0] == one
    assert desk.handle([Describe("m")])[0].models[0]["number"] == 3
    desk.close()


def test_a_key_stands_for_all_of_a_request(tmp_path):
    desk = begun(tmp_path)
    rows = [{"a": 1}, 7]
    first = Learn("m", rows, ["yes", "no"], once="k")
    [one] = desk.handle([first])
    assert one.count == 1 and desk.handle([first]) == [one]
    others = [
        Learn("m", [{"a": 1}, 8], ["yes", "no"], once="k"), Learn("m", rows, ["yes", "yes"], once="k"),
        Learn("m", [{"a": 1}], ["yes"], once="k"), Learn("m", rows, ["yes", "no"], [1, -1], once="k"),
        Learn("m", rows, ["yes", "no"], ids=[None, "\0"], once="k"),
    ]  # fmt: skip
    assert [(other.status, other.kind) for other in desk.handle(others)] == [(422, "key")] * 5
    desk.close()


def test_keys_are_remembered_over_a_window(tmp_path):
    desk = begun(tmp_path, Options(window=5, every=10**9, seconds=1e9))
    requests = [Learn("m", [{"a": 1}], ["yes"], once=f"k{at}") for at in range(9)]
    for request in requests:
        desk.handle([request])
    assert [one.first for one in desk.handle(requests[4:])] == [5, 6, 7, 8, 9]
    assert desk.handle(requests[:1])[0].first == 10 and len(desk.journal.keys) == 5
    desk.close()


def test_refused_rows_take_no_numbers(tmp_path):
    desk = begun(tmp_path)
    before = file_of(desk)
    rows = [{"a": 1}, {"a": float("inf")}, 7, {"b": 1}, {"c": 1}, {"c": 10**30}, {"d": 1}]
    [reply] = desk.handle([Learn("m", rows, ["yes", "no", "no", "maybe", "no", "no", None])])
    assert reply.numbers() == [1, None, None, None, 2, None, None]
    assert [(one.at, one.because) for one in reply.refused] == [
        (1, "row"), (2, "row"), (3, "label"), (5, "row"), (6, "label"),
    ]  # fmt: skip
    desk.close()
    desk = begun(tmp_path / "other")
    for bad in (
        Learn("m", [{"a": 1}], []), Learn("m", [], []), Learn("x", [{}], ["yes"]), Label("m", ["nobody"], ["yes"]),
        Learn("m", [{"a": 1}], ["yes"], weights=[-1]), Ask("m", [{"a": 1}], [None]), Ask("m", [{"a": 1}], ["\0"]),
        Learn("m", [{"a": 1}] * 10_001, ["yes"] * 10_001), Learn("m", [{"a": 1}], ["yes"], once="k" * 300),
        Create("m", "arow"), Create("../m", "arow"), Create("n", "nobody"), Create("n", "arow"), Upload("n", b"PK"),
    ):  # fmt: skip
        [reply] = desk.handle([bad])
        assert isinstance(reply, Problem) and 400 <= reply.status < 500, bad
    assert file_of(desk) == before and desk.journal.seq == 1
    desk.close()


def test_predicting_changes_nothing(tmp_path):
    desk = begun(tmp_path)
    rows, _ = taught(desk, 50)
    before = file_of(desk)
    [said, refused, *_] = desk.handle([
        Predict("m", [*rows, {"new": 1}, {"a1": float("nan")}]), Predict("m", [3]), Explain("m", rows[0]),
        Explain("m", "?"), Explain("m", float("inf")), Predict("m", rows, shadow="m"),
    ])  # fmt: skip
    assert [one.at for one in said.refused] == [51] and [one.at for one in refused.refused] == [0]
    assert file_of(desk) == before
    desk.close()


def test_what_is_asked_is_labelled_later(tmp_path):
    desk = begun(tmp_path)
    asked, again = desk.handle([Ask("m", [{"a": 1}], ["i"]), Ask("m", [{"a": 1}], ["i"])])
    assert asked.first == 1 and again.kind == "id"
    desk.abandon()
    desk = Desk(tmp_path, QUICK)
    labelled, again = desk.handle([Label("m", ["i"], ["yes"]), Label("m", ["i"], ["yes"])])
    assert labelled.first == 2 and again.kind == "id"
    desk.close()


def test_models_come_and_go(tmp_path):
    path = tmp_path / "trained.npz"
    texts = [{"message": "win a prize", "class": "spam"}, {"message": "lunch at noon?", "class": "ham"}] * 20
    ls.Model.train(texts, label="class", text="message").save(path)
    desk = begun(tmp_path / "data")
    assert desk.handle([Upload("spam", path.read_bytes())]) == [Made("spam", 0)]
    learned, said = desk.handle([Learn("spam", ["a prize"], ["spam"]), Predict("spam", ["prize", {"message": "noon"}])])
    assert learned.count == 1 and said.predictions == ["spam", "ham"]
    assert desk.handle([Clone("spam", "twin"), Learn("twin", ["noon"], ["ham"])])[0] == Made("twin", 0)
    twin, spam = file_of(desk, "twin"), file_of(desk, "spam")
    assert twin != spam
    desk.handle([Switch("spam", "twin")])
    assert (file_of(desk, "spam"), file_of(desk, "twin")) == (twin, spam)
    [beside] = desk.handle([Predict("spam", ["prize"], shadow="twin")])
    assert beside.shadow.model == "twin" and beside.shadow.predictions == ["spam"]
    desk.close()
    desk = Desk(tmp_path / "data", QUICK)
    assert (file_of(desk, "spam"), file_of(desk, "twin")) == (twin, spam)
    assert desk.handle([Remove("twin"), Predict("twin", ["x"])])[0] == Gone("twin")
    desk.close()
    desk = Desk(tmp_path / "data", QUICK)
    assert set(desk.served) == {"m", "spam"}
    (tmp_path / "again.npz").write_bytes(spam)
    assert load(tmp_path / "again.npz").trials == 41
    desk.close()


def test_two_on_one_folder_are_refused(tmp_path):
    with begun(tmp_path), pytest.raises(ls.InvalidParameter, match="no other service works in"):
        Desk(tmp_path, QUICK)


def test_labels_are_bounded(tmp_path):
    desk = Desk(tmp_path, Options(limits=Limits(labels=5), every=10**9, seconds=1e9))
    desk.handle([Create("m", "multiclass-perceptron", new_labels=True)])
    replies = [desk.handle([Learn("m", [{"a": 1}], [f"l{at}"])])[0] for at in range(8)]
    assert [isinstance(one, Problem) for one in replies] == [False] * 5 + [True] * 3
    assert desk.handle([Learn("m", [{"a": 1}], ["l1"])])[0].count == 1
    desk.close()


def test_what_nobody_thought_of_hurts_one_request_alone(tmp_path, monkeypatch):
    desk = begun(tmp_path)
    served = desk.served["m"]
    take = type(served).take

    def bad(self, lines):
        found = take(self, lines)
        if any("poison" in line.x for line in lines):
            raise ZeroDivisionError("oh")
        return found

    monkeypatch.setattr(type(served), "take", bad)
    one, two, three = desk.handle([Learn("m", [{name: 1}], ["yes"], once=name) for name in ("a", "poison", "b")])
    assert (one.first, two.status, three.first) == (1, 500, 2)
    monkeypatch.undo()
    before = file_of(desk)
    desk.close()
    with Desk(tmp_path, QUICK) as desk:
        assert file_of(desk) == before


@pytest.mark.parametrize("first", [[1.0, 0.0, 2.0], {"2": 1.0}, {"a": 1.0}])
def test_how_rows_are_read_does_not_change_when_it_is_restarted(tmp_path, first):
    """Whether keys are positions is what it was when the model came to be, also behind a snapshot."""
    rows = [first, [0.0, 1.0, 1.0], {"1": 1.0}, {"b": 1.0}, {"7": 2.0}, [0.5, 0.5, 0.5], "text", {"a": 1.0, "b": -1.0}]
    found = []
    for name in ("on", "again"):
        desk, replies = begun(tmp_path / name), []
        for row in rows:
            if name == "again":
                desk.close()
                desk = Desk(tmp_path / name, QUICK)
            replies += desk.handle([Learn("m", [row], ["yes"]), Predict("m", [row])])
        found.append((replies, file_of(desk)))
        desk.replay.model(1, scratch=True).write(tmp_path / "scratch.npz")
        assert (tmp_path / "scratch.npz").read_bytes() == found[-1][1]
        desk.close()
    assert found[0] == found[1]


def test_a_positional_model_is_uploaded(tmp_path):
    path = tmp_path / "m.npz"
    ls.Model.train([[1, 0, 1], [0, 1, 1]] * 20, ["yes", "no"] * 20, learner="perceptron").save(path)
    desk = Desk(tmp_path / "data", QUICK)
    desk.handle([Upload("m", path.read_bytes())])
    replies = desk.handle([Learn("m", [row], ["yes"]) for row in ([1, 1, 0], {"0": 1}, {0: 1}, {"x": 1})])
    before = file_of(desk)
    desk.abandon()
    desk = Desk(tmp_path / "data", QUICK)
    assert file_of(desk) == before and isinstance(replies[-1], Problem)
    desk.close()


def test_what_is_not_installed_is_named():
    code = "import sys; sys.modules['msgspec'] = None; import littlestone as ls; ls.service.Desk"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "expected msgspec, which is not installed; pip install 'littlestone[serve]'" in done.stderr


def test_a_clock_that_jumps_changes_nothing(tmp_path, monkeypatch):
    with begun(tmp_path / "plain") as desk:
        taught(desk, 42)
        expected = file_of(desk)
    now = iter([2e9, 1e9, -5.0, 0.0, 4e9, 1.0])
    monkeypatch.setattr("littlestone.service.journal.journal.time.time", lambda: next(now, 7.0))
    with begun(tmp_path / "jumps") as desk:
        rows, labels = examples(42)
        for at in range(0, 42, 7):
            desk.handle([Learn("m", rows[at : at + 7], labels[at : at + 7], once=f"{at}")])
            desk.snapshot(desk.served["m"])
        assert desk.handle([Learn("m", rows[:7], labels[:7], once="0")])[0].first == 1
        assert file_of(desk) == expected
        assert [one.first for one in entries_of(desk.journal.connection, 1)][1:] == [1, 8, 15, 22, 29, 36]
    with Desk(tmp_path / "jumps", QUICK) as desk:
        assert file_of(desk) == expected
    assert verify(tmp_path / "jumps", replay=True).is_sound
