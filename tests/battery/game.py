"""A game being played: operations on a learner, and what must hold after each."""

import math
from collections import Counter

import numpy as np

import littlestone as ls
from littlestone.core.errors import LittlestoneError
from tests.battery.plans import Step
from tests.battery.source import OWN_CODE, example_source, on_in, rows_source, scope

__all__ = ["Find", "Game"]

RENEWALS = {
    "copy": "a.copy()",
    "deepcopy": "copy.deepcopy(a)",
    "pickle": "pickle.loads(pickle.dumps(a))",
    "from_state": "type(a).from_state(a.params(), a.state())",
    "save": "ls.load(path)",
}


class Find(AssertionError):
    """A defect that a game has found."""


class Game:
    """A game being played: ``a`` plays, ``b`` plays the same rows in blocks of other sizes."""

    def __init__(self, plan):
        self.plan, self.log, self.tally = plan, [], Counter()
        self.scope = {**scope(), "x": {}, "v": np.zeros(0)}
        self.named = any(step.names is not None for step in plan.steps)
        self.code = any(word in plan.source for word in OWN_CODE)
        self.trials = self.mistakes = 0
        self.frozen = []
        self.kept = []  # what was copied, and its state: it must stay as it is

    def run(self, text):
        """Run a line of source, which the log has."""
        self.log.append(text)
        exec(text, self.scope)

    def value(self, text):
        self.run(f"found = {text}")
        return self.scope["found"]

    def expect(self, fact, what):
        if not fact:
            raise Find(what)

    def refused(self, text):
        """Run a line; tell whether it was refused, which must leave everything as it was."""
        before = self.state()
        try:
            self.run(text)
        except LittlestoneError as error:
            self.log[-1] += f"  # {type(error).__name__}: {str(error)[:100]}".replace("\n", " ")
            self.same(before, self.state(), "changed by a refusal")
            return True
        return False

    # What is compared

    @property
    def learner(self):
        return self.scope["a"].learner if self.plan.kind in ("delayed", "calibrated") else self.scope["a"]

    def state(self, who="a", *, alone=False):
        """Return a state; ``alone``: of the learner of which the other player is a copy, where labels come later."""
        player = self.scope[who]
        player = player.learner if alone and self.plan.kind == "delayed" and who == "a" else player
        return {key: np.array(value) for key, value in player.state().items()}

    def same(self, one, other, what, *, doors=False):
        """Compare two states; ``doors``: rows came in by different doors, of which only some say how wide they are."""
        self.expect(one.keys() == other.keys(), f"{what}: states have {sorted(one)} and {sorted(other)}")
        for key, mine in one.items():
            theirs = other[key]
            if doors and self.named and key.split(".")[-1] == "game":
                mine, theirs = np.delete(mine, 2), np.delete(theirs, 2)  # noqa: PLW2901 - how many columns were spoken of
            equal = np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
            self.expect(equal, f"{what}: {key} is {_short(theirs)}, was {_short(mine)}")

    def sound(self):
        """Hold the player to its counts, and its state to numbers."""
        for key, array in self.state().items():
            self.expect(
                array.dtype.kind != "f" or not np.isnan(array).any(), f"nan in the state: {key} {_short(array)}"
            )
        learner = self.learner
        counts = (learner.trials, learner.mistakes)
        self.expect(counts == (self.trials, self.mistakes), f"counts: {counts}, not {self.trials, self.mistakes}")
        steps = learner.promotions + learner.demotions
        if not learner.many_classes:
            self.expect(steps <= learner.updates <= learner.trials, f"updates: {steps, learner.updates, self.trials}")
        n, words = learner.n, learner.vocabulary
        self.expect(n is None or words is None or len(words) <= n, f"more names than n: n={n}, {list(words or ())}")

    def count(self, said, told):
        learner = self.learner
        tested = getattr(learner, "tested_rows", [True] * len(told))
        self.trials += len(told)
        if self.plan.kind == "calibrated" and len(tested) != len(told):  # it learns row by row
            self.mistakes = learner.mistakes
            return
        self.mistakes += sum(bool(t) and one != y for one, y, t in zip(said, told, tested, strict=True))

    # Operations

    def play(self):
        plan = self.plan
        self.run(f"a = {plan.source}")
        if plan.kind == "delayed":
            self.run("b = a.learner.copy()")
        else:
            self.run(f"b = {plan.source}")
        if plan.begin:
            if self.refused(f"a.{plan.begin}"):
                return self
            self.run(f"b.{plan.begin}")
        for step in plan.steps:
            getattr(self, "do_" + step.what.replace(" ", "_"))(step)
        for name, text, before in self.frozen:
            self.expect(_plain(self.value(f"{name}.{text}")) == before, f"frozen: {text} has changed")
        for i, (old, before) in enumerate(self.kept):
            self.scope["a"] = old
            self.same(before, self.state(), f"copied: what was copied ({i}) has changed")
        return self

    def do_learn(self, step):
        labels = self.plan.labels
        told = [labels[code] for code in step.codes]
        weight = "" if step.weights is None else f", weight={step.weights!r}"
        X = rows_source(step)
        first = None
        if step.rows and step.form != "coo":
            first = self.attempt(f"a.predict({rows_source(step, 0, 1)})")
        outcome = f"{told!r}{weight}"
        if step.form.endswith("block") and not weight and "labels=" in self.plan.begin:
            X, outcome = f"{X}.labelled({step.codes!r}, {labels!r})", ""
        self.tally["learn"] += 1
        if self.refused(f"said = a.learn({X}{', ' if outcome else ''}{outcome})"):
            self.tally["refused"] += 1
            return
        said = self.scope["said"].tolist()
        self.expect(len(said) == len(told), f"learn: {len(said)} predictions of {len(told)} rows")
        if first is not None:
            self.expect(first[0] == said[0], f"predict says {first[0]}, learn {said[0]}")
        self.count(said, told)
        self.sound()
        others = []
        for form, start, stop in step.twin:
            others += self.other(step, form, start, stop, told)
        self.expect(others == said, f"other blocks: said {others}, not {said}")
        self.same(self.state(alone=True), self.state("b"), "other blocks", doors=True)

    def other(self, step, form, start, stop, told):
        """Let the other player learn some rows; return what it said."""
        if form == "one":
            if step.names is None:
                x = f"np.array({step.rows[start]!r}, dtype=float)"
            else:
                x = repr(dict(zip(step.names, step.rows[start], strict=True)))
            return [self.must(f"b.learn_one({x}, {told[start]!r})")]
        weight = "" if step.weights is None else f", weight={step.weights[start:stop]!r}"
        X = rows_source(step, start, stop, form)
        return self.must(f"b.learn({X}, {told[start:stop]!r}{weight})").tolist()

    def must(self, text):
        """Return the value of what may not be refused, for it was not before."""
        try:
            return self.value(text)
        except LittlestoneError as error:
            raise Find(f"other blocks: refused, but not in one block: {error!r}") from error

    def attempt(self, text):
        """Return predictions, None if they are refused; nothing may change."""
        before = self.state()
        try:
            found = self.value(text)
        except LittlestoneError as error:
            self.log[-1] += f"  # {type(error).__name__}"
            found = None
        self.same(before, self.state(), "changed by a question")
        return found

    def do_one(self, step):
        x, y = self.example(step), self.plan.labels[step.codes[0]]
        before = self.attempt(f"a.predict_one({x})") if hasattr(self.scope["a"], "predict_one") else None
        self.tally["learn"] += 1
        if self.refused(f"said = a.learn_one({x}, {y!r})"):
            self.tally["refused"] += 1
            return
        said = self.scope["said"]
        if not (before is None and said is not None):
            self.expect(before == said, f"predict_one says {before!r}, learn_one {said!r}")
        self.count([said], [y])
        self.sound()
        form = step.twin[0][0] if step.twin and (step.names is None or on_in(step)) else "same"
        if form == "same":
            other = self.must(f"b.learn_one({x}, {y!r})")
        elif form == "dict":
            told = dict(reversed([*on_in(step).items()]))
            other = self.must(f"b.learn_one({told!r}, {y!r})")
        else:
            told, names = step, step.names
            if names is not None:
                on = on_in(step)
                names = tuple(ls.Vocabulary().unseen(on))
                told = Step("one", [[on[name] for name in names]], names=names)
            other = self.must(f"b.learn({rows_source(told, form=form)}, [{y!r}])").tolist()[0]
        self.expect(other == said, f"one and many: {form} says {other!r}, not {said!r}")
        self.same(self.state(alone=True), self.state("b"), f"one and many ({form})", doors=True)

    def do_look(self, step):
        for asked in ("predict", "activation", "predict_proba"):
            if not hasattr(self.scope["a"], asked):
                continue
            whole = self.attempt(f"a.{asked}({rows_source(step)})")
            if whole is None:
                continue
            self.expect(not _has_nan(whole), f"nan: {asked} {_short(np.asarray(whole))}")
            tossed = "randomized=True" in self.plan.source or "gibbs" in self.plan.source  # a coin for each trial
            for r in range(min(len(step.rows), 1) if tossed else len(step.rows)):
                alone = self.attempt(f"a.{asked}({rows_source(step, r, r + 1)})")
                equal = alone is not None and np.array_equal(alone[0], whole[r])
                self.expect(equal, f"row by row: {asked} of row {r} is {alone}, in the block {whole[r]}")

    def do_look_one(self, step):
        if not hasattr(self.scope["a"], "predict_one"):
            return
        said = self.attempt(f"a.predict_one({self.example(step)})")
        if step.names is None or said is None:
            return
        on = on_in(step)
        names = tuple(ls.Vocabulary().unseen(on))  # new names get columns in this order
        told = Step("look", [[on[name] for name in names]], names=names)
        if on:
            block = self.attempt(f"a.predict({rows_source(told, form='frame')})")
            self.expect(block is not None and block[0] == said, f"predict_one says {said!r}, predict {block}")

    def do_empty(self, step):
        del step
        if self.named and hasattr(self.scope["a"], "predict_one"):
            said = [self.attempt(f"a.predict_one({x})") for x in ("{}", "set()", "[]", "()")]
            self.expect(said.count(said[0]) == 4, f"nothing on: a dict, a set, a list and a tuple say {said}")

    def do_ask(self, step):
        if step.text.startswith("a.") and not hasattr(self.scope["a"], step.text[2:].split("(")[0].split(",")[0]):
            return
        if self.plan.kind in ("experts", "calibrated") and "explain" in step.text:
            return
        found = self.attempt(step.text)
        self.expect(not _has_nan(found), f"nan: {step.text} is {found}")

    def do_explain(self, step):
        if self.plan.kind not in ("experts", "calibrated"):
            found = self.attempt(f"str(ls.explain_example(a, {self.example(step)}))")
            self.expect(not _has_nan(found), f"nan: explain_example is {found}")

    def do_bad(self, step):
        learner, needs = self.learner, step.needs
        if self.plan.kind in ("experts", "restarting", "forgetting"):
            learner = learner.speaker
        if (
            not hasattr(self.scope["a"], step.text[2:].split("(")[0])
            or (needs == "trials" and not learner.trials)
            or (needs == "labels" and (learner.labels is None or not getattr(learner._labels, "settled", True)))
            or (needs == "words" and not learner.vocabulary)
        ):
            return
        self.expect(self.refused(step.text), f"not refused: {step.text}")

    def do_begin(self, step):
        before = self.state()
        if not self.refused(f"a.{step.text}"):
            self.must(f"b.{step.text}")
            self.same(self.state(alone=True), self.state("b"), "begin", doors=True)
        else:
            self.same(before, self.state(), "changed by a refusal")

    def do_renew(self, step):
        how, old, before = step.text, self.scope["a"], self.state()
        shown = repr(old)
        if self.code and how in ("pickle", "save"):
            return
        if how == "save":
            try:
                self.run("ls.save(a, path)")
                self.run("a = ls.load(path)")
            except LittlestoneError as error:
                raise Find(f"save and load: {error!r}") from error
        else:
            self.run(f"a = {RENEWALS[how]}")
        self.same(before, self.state(), how)
        self.expect(repr(self.scope["a"]) == shown, f"{how}: {self.scope['a']!r}, not {shown}")
        now = self.scope["a"]
        self.expect(repr(now.labels) == repr(old.labels), f"{how}: labels {now.labels}, not {old.labels}")
        words = [None if who.vocabulary is None else list(who.vocabulary) for who in (old, now)]
        self.expect(repr(words[0]) == repr(words[1]), f"{how}: names {words[1]}, not {words[0]}")
        self.kept.append((old, before))

    def do_freeze(self, step):
        del step
        name = f"p{len(self.frozen)}"
        self.run(f"{name} = ls.freeze(a)")
        if not self.code:
            self.run(f"{name} = pickle.loads(pickle.dumps({name}))")
        text = "predict_one({'a', 'b'})" if self.named else f"predict(np.ones((1, {self.learner.n or 1})))"
        mine = self.attempt(f"a.{text}")
        if mine is not None:
            said = _plain(self.value(f"{name}.{text}"))
            self.expect(said == _plain(mine), f"frozen: {said}, not {mine}")
            self.frozen.append((name, text, said))

    # Labels that come later

    def do_wait(self, step):
        x = self.example(step)
        if self.refused(f"said = a.predict_one({x}, id={step.text})"):
            return
        said = self.scope["said"]
        self.expect(said == self.must(f"b.predict_one({x})"), "waiting: another prediction than the learner's")
        self.frozen_says = {**getattr(self, "frozen_says", {}), step.text: said}
        self.expect(self.refused(f"a.predict_one({x}, id={step.text})"), "not refused: an id that waits")

    def do_tell(self, step):
        said = getattr(self, "frozen_says", {}).pop(step.text, self)
        if said is self:
            return
        y, waiting = self.plan.labels[step.codes[0]], self.scope["a"].waiting
        before = self.trials, self.mistakes
        if self.refused(f"said = a.learn_one({step.text}, {y!r})"):
            self.expect(self.scope["a"].waiting == waiting, "a refusal forgot an example")
            return
        self.expect(self.scope["said"] == said, f"tell: {self.scope['said']!r}, said {said!r} before")
        again = self.must(f"b.learn_one({example_source(step, 'dict' if step.names else 'vector')}, {y!r})")
        self.count([again], [y])
        self.sound()
        self.expect(self.trials == before[0] + 1 == self.scope["a"].trials, "trials")
        self.same(self.state(alone=True), self.state("b"), "told later")

    def do_forget(self, step):
        if getattr(self, "frozen_says", {}).pop(step.text, self) is not self:
            self.run(f"a.forget({step.text})")

    # Source

    def example(self, step):
        """Return the source of one example; one that is used again is filled anew first."""
        if step.form == "reused":
            self.run(f"x.clear(); x.update({on_in(step)!r})")
            return "x"
        if step.form == "reused vector":
            self.run(f"v = np.resize(v, {len(step.rows[0])}); v[:] = {step.rows[0]!r}")
            return "v"
        return example_source(step, step.form)


def _short(array):
    return repr(array.tolist())[:120]


def _plain(found):
    return found.tolist() if isinstance(found, np.ndarray) else found


def _has_nan(found):
    if isinstance(found, str):
        return "nan" in found.split()
    if isinstance(found, dict):
        return any(map(_has_nan, found.values()))
    if isinstance(found, np.ndarray):
        return found.dtype.kind == "f" and bool(np.isnan(found).any())
    if isinstance(found, tuple | list):
        return any(map(_has_nan, found))
    if hasattr(found, "w") and hasattr(found, "theta"):
        return _has_nan((found.w, found.theta))
    return isinstance(found, float) and math.isnan(found)
