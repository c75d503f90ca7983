"""Games of the random battery: drawn as plain data, so that they can be written out, played again and made smaller."""

import random
from dataclasses import dataclass, field
from math import inf, nan

from littlestone.core.errors import LittlestoneError
from littlestone.core.vocabulary import Vocabulary
from tests.battery.options import made

VALUES = {
    "any": [1, 1, -1, 0.5, -0.25, 2, 3.7],
    "non-negative": [1, 1, 0.5, 0.25, 2, 3.7],
    "unit": [1, 1, 0.5, 0.25],
    "Boolean": [1],
    "sign": [1],
    "whole": [1, 1, 2, 3, 4],
}
EXTREMES = {
    "any": [5e-324, 1e100, -1e100, 1e-50, 1e-100, 1e15, -1e-300],
    "non-negative": [5e-324, 1e100, 1e-50, 1e15, 1e-300],
    "unit": [5e-324, 1e-100, 0.9999999999999999],
    "whole": [49, 1023, 2**31 - 1],
}
UNSOUND = {"non-negative": -1.0, "unit": 1.5, "Boolean": 0.5, "sign": 0.5, "whole": 0.5}
NAMES = [*"abcdefgh"]
ODD_NAMES = ["a", "b", "not a", "é", ("x", 1), 7, "", "b=1"]
PAIRS = [(0, 1), (0, 1), (0, 1), (False, True), (-1, 1), ("no", "yes"), (0.0, 1.0)]
CLASSES = [(0, 1, 2), ("x", "y", "z"), (0, 1)]
ASKED = (
    "a.weights()", "a.weights()", "a.hypothesis()", "a.guarantee", "str(ls.explain(a))", "repr(a)", "a.params()",
    "a.updates, a.promotions, a.demotions, a.n", "a.labels", "a.class_counts()", "a.hypotheses()", "a.best",
    "a.heaviest(3)", "a.rule() if callable(a.rule) else a.rule", "a.marginals()", "a.most_probable()", "a.experts",
    "a.errors", "a.regret",
)  # fmt: skip
RENEWED = ("copy", "pickle", "from_state", "save", "save")


@dataclass
class Step:
    """One operation; rows are lists of values, outcomes positions in the game's labels."""

    what: str
    rows: list = field(default_factory=list)
    codes: list = field(default_factory=list)
    weights: list | None = None
    names: tuple | None = None  # of the columns
    form: str = ""
    twin: list = field(default_factory=list)  # what the other player gets: (form, first row, last row)
    text: str = ""
    needs: str = ""  # what must be so before a call can be expected to be refused


@dataclass
class Plan:
    """A game: who plays, and what is asked of him."""

    kind: str
    number: int
    source: str
    begin: str
    labels: tuple
    steps: list


class Drawing:
    """A game being drawn."""

    def __init__(self, kind, number, scope):
        self.chance = chance = random.Random(f"{kind} {number}")
        self.kind, self.number = kind, number
        self.extreme = chance.random() < 0.35  # in values, weights; options have extremes of their own
        self.n = chance.randint(1, 6)
        self.source, player = made(chance, kind, self.n, chance.random() < 0.2, scope)
        learners = getattr(player, "pool", None) if kind == "experts" else [getattr(player, "learner", None) or player]
        if kind in ("bounded", "winner-takes-all"):
            learners = [player]
        self.many = learners[0].many_classes
        domains = {learner._domain() for learner in learners}
        self.domain = next((d for d in ("sign", "whole", "Boolean", "unit", "non-negative") if d in domains), "any")
        self.needs_n = any(learner._needs_n() or learner.negations for learner in learners)
        self.named = chance.random() < 0.5
        self.names = chance.choice([NAMES, NAMES, ODD_NAMES])
        self.labels = chance.choice(CLASSES if self.many else PAIRS)
        self.fixed = chance.random() < (0.85 if self.needs_n else 0.3)
        told = [f"n={self.n}"] if self.fixed else []
        self.told_labels = self.labels not in {(0, 1), (0.0, 1.0), (False, True)} or chance.random() < 0.7
        if self.told_labels:
            told.append(f"labels={self.labels!r}")
        if self.named and chance.random() < 0.3:
            told.append(f"names={self.names[: chance.randint(0, self.n)]!r}")
        self.begin = f"begin({', '.join(told)})" if told else ""

    # Rows

    def width(self):
        """Return how many columns to draw: as many as are fixed, or somewhat more or less."""
        if self.fixed or self.needs_n or (not self.named and self.domain == "sign"):
            return self.n if self.chance.random() < 0.97 or self.domain == "sign" else self.n - 1
        return self.chance.randint(1, self.n + 2)

    def row(self, width, density):
        chance, values = self.chance, VALUES[self.domain]
        if self.domain == "sign" and density < 0:
            return [chance.choice([-1, 1]) for _ in range(width)]
        if chance.random() < 0.3:
            values = [1]
        elif self.extreme and self.domain in EXTREMES:
            values = chance.choice([values, [1]]) + EXTREMES[self.domain]
        return [chance.choice(values) if chance.random() < density else 0 for _ in range(width)]

    def rows(self, count, width):
        density = self.chance.choice([0.2, 0.5, 0.9, -1 if self.domain == "sign" else 0.5])
        rows = [self.row(width, density) for _ in range(count)]
        if width > 1 and self.chance.random() < 0.2:  # repeated columns
            one, other = self.chance.sample(range(width), 2)
            for row in rows:
                row[one] = row[other]
        return rows

    def columns(self, width):
        """Return names for columns, in the order that a learner gives them, or in any."""
        pool = self.names
        if self.fixed:
            more = 2 if self.chance.random() < 0.2 else 0  # for which there is no room
            pool, width = self.names[: self.n + more], width + more
        names = self.chance.sample(pool, min(width, len(pool)))
        return tuple(names if self.chance.random() < 0.3 else Vocabulary().unseen(names))

    # Operations

    def learn(self):
        chance = self.chance
        count = chance.choice([0, 1, 2, 3, 5, 8, 12])
        names = self.columns(self.width()) if self.named else None
        width = len(names) if self.named else self.width()
        step = Step("learn", self.rows(count, width), names=names)
        step.codes = [chance.randrange(len(self.labels)) for _ in range(count)]
        share = chance.random()
        if share < 0.3 and self.kind != "experts":
            usual = [0, 1, 1, 2] if share < 0.2 else [0, 0.5, 1, 2.5]
            step.weights = [chance.choice(usual + [1e100, 5e-324] * self.extreme) for _ in range(count)]
        forms = ["frame", "named block"] if self.named else ["array", "array", "csr", "coo", "list", "block"]
        if not self.named and not self.needs_n and self.domain != "sign":
            forms.append("open block")
        step.form = chance.choice(forms) if width else "named block" if self.named else "array"
        step.twin = self.twins(step, count)
        return step

    def twins(self, step, count):
        """Return how the other player gets the same rows: in parts of other sizes, in forms of the same meaning."""
        chance, at, parts = self.chance, 0, [] if count else [(step.form, 0, 0)]
        while at < count:
            size = chance.choice([1, 1, 2, 3, count])
            stop = min(count, at + size)
            alike = ["array", "csr", "list", "block"] if step.form in ("array", "csr", "coo", "list", "block") else []
            one = "array" in alike or (
                self.named and step.names == tuple(Vocabulary().unseen(step.names)) and (self.fixed or not self.needs_n)
            )
            if stop == at + 1 and step.weights is None and one and chance.random() < 0.5:
                parts.append(("one", at, stop))
            else:
                parts.append((chance.choice([*alike, step.form, step.form]), at, stop))
            at = stop
        return parts

    def one(self, what="one"):
        chance = self.chance
        names = self.columns(chance.randint(0, self.n + 1)) if self.named else None
        width = len(names) if self.named else self.width()
        step = Step(what, self.rows(1, width), [chance.randrange(len(self.labels))], names=names)
        if self.named:
            step.form = chance.choice(["dict", "dict", "on", "set", "list", "tuple", "frozenset", "mapping", "reused"])
            step.twin = [(chance.choice(["same", "dict", "frame", "named block"]), 0, 1)]
        else:
            step.form = chance.choice(["vector", "reused vector"])
            step.twin = [(chance.choice(["same", "array", "csr", "block"]), 0, 1)]
        return step

    def look(self):
        step = self.learn()
        step.what, step.weights = "look", None
        return step

    def bad(self):
        text, needs = self.chance.choice(self.refused())
        return Step("bad", text=text, needs=needs)

    def refused(self):
        """Return calls that must be refused, each with what must be so before."""
        y, width = self.labels[0], self.n if self.fixed or self.needs_n else 2
        third = "seven" if not isinstance(self.labels[0], str) else 7
        calls = [
            ("a.learn('row', [{y}])", ""), ("a.learn(None, [{y}])", ""), ("a.learn(np.zeros((1, 1, 1)), [{y}])", ""),
            ("a.learn({row}, [{y}, {y}])", ""), ("a.learn({row}, [{third}])", "labels"), ("a.learn({row})", ""),
            ("a.learn({row}, [nan])", ""), ("a.learn({row}, [None])", ""), ("a.learn({row}, {y})", ""),
            ("a.predict(5)", ""), ("a.learn([['red'] * {w}], [{y}])", ""), ("a.learn({row} * 1j, [{y}])", ""),
            ("a.learn([[1], [1, 2]], [{y}, {y}])", ""), ("a.learn_one('a', {y})", ""), ("a.learn_one(5, {y})", ""),
            ("a.learn_one(None, {y})", ""), ("a.predict_one('a')", ""), ("a.learn_one(np.zeros((1, 1)), {y})", ""),
            ("a.learn({frame}, [{y}])", ""),
        ]  # fmt: skip
        if self.kind != "experts":
            calls += [
                (f"a.learn({{row}}, [{{y}}], weight={w})", "")
                for w in ("[-1.0]", "[nan]", "[inf]", "'x'", "[1, 2]", "[1e101]")
            ]
        values = [nan, inf, -inf, 1e101, *([UNSOUND[self.domain]] if self.domain in UNSOUND else [])]
        if self.named:
            calls += [
                (f"a.learn_one({{{{'new': {value!r}}}}}, {{y}})", "") for value in [*values, "red", None, [1], 1j]
            ]
            calls += [(f"a.learn(pd.DataFrame([[{value!r}]], columns=['new']), [{{y}}])", "") for value in values]
            calls += [
                ("a.learn_one(['new', 'new'], {y})", ""), ("a.learn_one([['new']], {y})", ""),
                ("a.learn_one({{'new': 1}}, {third})", "labels"), ("a.learn_one(np.ones({w}), {y})", "words"),
                ("a.learn(np.ones((1, {w})), [{y}])", "words"), ("a.learn_one({{'new'}}, None)", ""),
                ("a.predict_one({{'new': nan}})", ""), ("a.learn_one({{'new'}}, [{y}])", ""),
            ]  # fmt: skip
            if self.fixed and "Bounded" not in self.source:  # which drops names
                calls += [("a.learn_one([f'new {{i}}' for i in range({n} + 1)], {y})", "")]
                frame = "pd.DataFrame(np.eye({n} + 1, dtype=int), columns=[f'n{{i}}' for i in range({n} + 1)])"
                calls += [(f"a.learn({frame}, [{{y}}] * ({{n}} + 1))", "")]  # in no row more than one, in all too many
        else:
            calls += [(f"a.learn(np.full((1, {{w}}), {value!r}), [{{y}}])", "") for value in values]
            calls += [(f"a.predict(np.full((1, {{w}}), {value!r}))", "") for value in values[:1]]
            calls += [("a.learn_one({{'new': 1}}, {y})", "trials"), ("a.learn({named}, [{y}])", "trials")]
            calls += [("a.learn_one(np.full({w}, nan), {y})", ""), ("a.learn_one(np.ones({w}), {third})", "labels")]
            if self.fixed:
                calls += [("a.learn(np.ones((1, {n} + 1)), [{y}])", ""), ("a.predict(np.zeros((1, {n} + 1)))", "")]
        fill = {
            "y": repr(y), "third": repr(third), "w": width, "n": self.n, "row": f"np.ones((1, {width}))",
            "frame": f"pd.DataFrame(np.ones((1, {width + 1})), columns=['new'] * {width + 1})",
            "named": "pd.DataFrame([[1]], columns=['new'])",
        }  # fmt: skip
        return [(text.format(**fill), needs) for text, needs in calls]

    def ask(self):
        text = self.chance.choice(ASKED)
        if self.chance.random() < 0.15:
            names = self.columns(2) if self.named else None
            step = Step("explain", self.rows(1, len(names) if self.named else self.width()), names=names)
            step.form = "dict" if self.named else "vector"
            return step
        return Step("ask", text=text)

    def steps(self):
        chance, count = self.chance, self.chance.randint(2, 14)
        draw = {
            self.learn: 6, self.one: 6, self.look: 3, lambda: self.one("look one"): 2, self.ask: 4, self.bad: 4,
            lambda: Step("renew", text=chance.choice(RENEWED)): 4, lambda: Step("freeze"): 1,
            lambda: Step("empty"): 1, self.again: 1,
        }  # fmt: skip
        return [chance.choices([*draw], [*draw.values()])[0]() for _ in range(count)]

    def again(self):
        """Return another beginning in the midst of a game: taken, or refused."""
        told = self.chance.choice([f"n={self.n}", f"n={self.n + 1}", "", f"labels={self.labels!r}", "labels=(5, 6)"])
        return Step("begin", text=f"begin({told})")

    def plan(self):
        """Return the whole game."""
        steps = self.steps() if self.kind != "delayed" else self.waiting()
        return Plan(self.kind, self.number, self.source, self.begin, self.labels, steps)

    def waiting(self):
        """Return the operations of a game whose labels come later."""
        chance, steps, asked = self.chance, [], []
        for i in range(chance.randint(2, 14)):
            what = chance.choice(["wait", "wait", "tell", "tell", "forget", "renew", "bad"])
            if what == "wait":
                step = self.one("wait")
                step.text = repr(i)
                asked.append(step)
            elif what in ("tell", "forget") and asked:
                waited = asked.pop(chance.randrange(len(asked)))
                step = Step(what, waited.rows, waited.codes, names=waited.names, form=waited.form, text=waited.text)
            elif what == "renew":
                step = Step("renew", text=chance.choice(["deepcopy", "pickle", "copy", "from_state", "save", "save"]))
            else:
                calls = ["a.learn_one('never', 1)", "a.forget('never')", "a.predict_one({'a'}, id=[])"]
                step = Step("bad", text=chance.choice(calls))
            steps.append(step)
        return steps


def drawn(kind, number, scope):
    """Return game ``number`` of a kind."""
    try:
        return Drawing(kind, number, scope).plan()
    except LittlestoneError as error:  # a player could not even be made
        raise AssertionError(f"{kind} {number}: no game could be drawn: {error!r}") from error
