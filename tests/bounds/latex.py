"""The value of a formula in LaTeX, as far as theorems need it: no more of the language than they are written in."""

import math
import re

__all__ = ["definitions", "symbols_of", "value"]

SYMBOL = r"(?:\\lVert [A-Za-z] \\rVert|\\mathbb\{E\}\[M\]|\\mathrm\{[a-z]+\}|\\[a-z]+|[A-Za-z])(?:_(?:\{[^}]*\}|\w))?"
TOKEN = re.compile(
    r"\s*(?:\\left|\\right|\\operatorname|\\cdot|[\s&])*"
    r"(\\begin\{cases\}|\\end\{cases\}|\\lVert [A-Za-z] \\rVert|\\mathbb\{E\}\[M\]|\\mathrm\{[a-z]+\}"
    r"|\\[a-zA-Z]+|\d+(?:\.\d+)?|[A-Za-z]|[-+/^_(){}\[\],=<>!])"
)
LETTER = re.compile(
    r"[A-Za-z]|\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|eta|theta|rho|Lambda)|\\lVert.*|\\mathbb.*|\\mathrm.*"
)
HOLDS = {
    r"\le": lambda a, b: a <= b, r"\ge": lambda a, b: a >= b, "<": lambda a, b: a < b, ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
}  # fmt: skip
NEAR = 1e-9  # so near to a whole number is one, but for rounding
OPEN = {"(": ")", "{": "}", r"\lceil": r"\rceil", r"\lfloor": r"\rfloor"}


def ln(x):
    return -math.inf if x == 0 else math.log(x)


def lambert(x):
    w = 0.5
    for _ in range(60):
        w -= (w * math.exp(w) - x) / (math.exp(w) * (w + 1))
    return w


FUNCTIONS = {r"\ln": ln, r"\cosh": math.cosh, "W": lambert}
WHOLE = {
    r"\lceil": lambda x: x if math.isinf(x) else math.ceil(x - NEAR),
    r"\lfloor": lambda x: x if math.isinf(x) else math.floor(x + NEAR),
}


def over(one, other):
    return one * (math.inf if other == 0 else 1 / other) if one else 0.0


def times(one, other):
    return 0.0 if one == 0 or other == 0 else one * other


def definitions(where):
    """Tell the definitions, by their symbols, from the conditions."""
    made, conditions = {}, []
    for line in where:
        name, sign, right = line.partition("=")
        if sign and re.fullmatch(SYMBOL, name.strip()):
            made[name.strip()] = right
        else:
            conditions.append(line)
    return made, conditions


def symbols_of(formula):
    """Return the symbols of a formula, except for names of functions and signs."""
    return set(Reader(formula, None).symbols())


def value(formula, numbers):
    """Return its number, or whether it holds; ``numbers`` has numbers, or formulas to be put in, by their symbols."""
    return Reader(formula, numbers).whole()


class Reader:
    """Reads one formula from left to right and computes as it goes."""

    def __init__(self, formula, numbers):
        self.tokens, at = [], 0
        formula = formula.strip()
        while at < len(formula):
            found = TOKEN.match(formula, at)
            assert found, f"{formula!r} at {formula[at:]!r}"
            self.tokens.append(found[1])
            at = found.end()
        self.numbers, self.at = numbers, 0

    def symbols(self):
        while self.at < len(self.tokens):
            token = self.take()
            if token not in FUNCTIONS and token != "e" and LETTER.fullmatch(token):
                yield self.named(token)

    def whole(self):
        found = self.sum()
        if self.seen(*HOLDS):
            found = HOLDS[self.take()](found, self.sum())
        assert self.at == len(self.tokens), self.tokens[self.at :]
        return found

    def seen(self, *tokens):
        return self.at < len(self.tokens) and self.tokens[self.at] in tokens

    def take(self, *expected):
        token = self.tokens[self.at]
        assert not expected or token in expected, (token, expected)
        self.at += 1
        return token

    def sum(self):
        found = self.product()
        while self.seen("+", "-"):
            found += self.product() if self.take() == "+" else -self.product()
        return found

    def product(self):
        if self.seen("-"):
            self.take()
            return -self.product()
        found = self.power()
        while self.at < len(self.tokens) and not self.seen(
            "+", "-", ",", ")", "}", r"\rceil", r"\rfloor", r"\cr", r"\end{cases}", *HOLDS
        ):
            if self.seen("/"):
                self.take()
                found = over(found, self.power())
            else:
                found = times(found, self.power())
        return found

    def power(self):
        found = self.atom()
        if self.seen("^"):
            self.take()
            found = float(found) ** self.argument()
        return found

    def argument(self):
        """Read what stands in braces, or one token."""
        if not self.seen("{"):
            return self.atom()
        return self.inside()

    def inside(self):
        """Read what stands between two signs that belong together."""
        opened = self.take(*OPEN)
        found = self.sum()
        self.take(OPEN[opened])
        return WHOLE.get(opened, float)(found)

    def several(self):
        self.take("(")
        found = [self.sum()]
        while self.seen(","):
            self.take()
            found.append(self.sum())
        self.take(")")
        return found

    def atom(self):
        token = self.tokens[self.at]
        if token in OPEN:
            return self.inside()
        self.take()
        if token[0].isdigit():
            return float(token)
        if token in FUNCTIONS:
            return FUNCTIONS[token](self.power())
        special = {r"\frac": self.frac, r"\sqrt": lambda: math.sqrt(self.argument()), r"\log": self.log,
                   r"\binom": lambda: math.comb(int(self.argument()), int(self.argument())), r"\sum": self.series,
                   r"\max": lambda: max(self.several()), r"\min": lambda: min(self.several()),
                   r"\begin{cases}": self.cases}  # fmt: skip
        return special[token]() if token in special else self.looked_up(token)

    def frac(self):
        return over(self.argument(), self.argument())

    def log(self):
        self.take("_")
        base = self.argument()
        return ln(self.power()) / math.log(base)

    def series(self):
        """Read a sum: its index runs over whole numbers."""
        self.take("_"), self.take("{")
        index = self.take()
        self.take("=")
        first = int(self.sum())
        self.take("}"), self.take("^")
        last, start, total = int(self.argument()), self.at, 0.0
        outside = self.numbers
        for number in range(first, last + 1):
            self.at, self.numbers = start, {**outside, index: number}
            total += self.product()
        self.numbers = outside
        return total

    def cases(self):
        """Read values with a condition each: the first that holds counts."""
        found = None
        while not self.seen(r"\end{cases}"):
            case = self.sum()
            self.take(",")
            left, sign, right = self.sum(), self.take(*HOLDS), self.sum()
            if found is None and HOLDS[sign](left, right):
                found = case
            if self.seen(r"\cr"):
                self.take()
        self.take()
        return found

    def named(self, token):
        """Return the name of a symbol with its index, as it is written."""
        if not self.seen("_"):
            return token
        self.take()
        if not self.seen("{"):
            return f"{token}_{self.take()}"
        self.take()
        parts = []
        while not self.seen("}"):
            parts.append(self.take())
        self.take()
        return f"{token}_{{{''.join(parts)}}}"

    def looked_up(self, token):
        name = self.named(token)
        if name == "e":
            return math.e
        found = self.numbers[name]
        return value(found, self.numbers) if isinstance(found, str) else found
