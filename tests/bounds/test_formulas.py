"""The formula of every theorem, in LaTeX, is what its function computes."""

import random
from math import inf, isclose

import pytest

from littlestone.bounds import STATEMENTS, THEOREMS
from littlestone.bounds.symbols import BOUNDED, SYMBOLS
from littlestone.core.errors import InvalidParameter
from tests.bounds.latex import definitions, symbols_of, value

NOT_COMPUTED = {
    "directed_drift_exact": "a recursion over probabilities that are sums themselves",
    "additive_lower": "which matrices can be made is found by trying, not by a formula",
    "additive_lower_any_start": "as that",
}
WHOLE = {  # what whole numbers are drawn from, if not from 0 to 30
    "n": (1, 40), "trials": (1, 400), "experts": (1, 400), "size": (1, 20), "overlap": (0, 12), "sets": (0, 900),
    "survived": (0, 300), "literals": (1, 2), "max_size": (1, 8), "k": (0, 12), "attribute_errors": (0, 5),
}  # fmt: skip
REAL = {  # and others, if not from 0.05 to 4; a zero is drawn now and then as well
    "gamma": (0.05, 1.0), "alpha": (1.05, 4.0), "beta": (0.0, 0.999), "beta1": (1.05, 4.0), "beta0": (0.0, 0.999),
    "demotion": (0.0, 0.999), "p": (2.0, 9.0), "floor": (0.001, 0.9), "epsilon": (0.01, 0.9), "delta": (0.001, 0.9),
    "theta": (0.01, 12.0), "w1": (0.001, 0.999), "mistakes": (0.0, 400.0),
}  # fmt: skip
DRAWS, ENOUGH = 400, 30
OWN = {"alma_margin": {"alpha": (0.05, 1.0)}, "alma_disjunction": {"alpha": (0.05, 1.0)},
       "normalized_winnow_disjunction": {"theta": (0.01, 1.5)}}  # fmt: skip


def drawn(rng, statement):
    """Return arguments, of which some may be refused."""
    found = {}
    for name in (*statement.required, *statement.optional):
        if name in statement.optional and rng.random() < 0.3:
            found[name] = statement.optional[name]
        elif name in statement.whole:
            found[name] = rng.randint(*WHOLE.get(name, (0, 30)))
        else:
            low, high = OWN.get(statement.name, {}).get(name) or REAL.get(name, (0.05, 4.0))
            found[name] = 0.0 if rng.random() < 0.05 else rng.uniform(low, high)
    return found


def admissible(name):
    """Yield arguments that are not refused, with the value of the bound."""
    rng, statement = random.Random(name), STATEMENTS[name]
    for _ in range(DRAWS):
        arguments = drawn(rng, statement)
        try:
            yield arguments, THEOREMS[name](**arguments).value
        except InvalidParameter:
            continue


def of_symbols(statement, arguments):
    """Return numbers, and formulas of what is None, by their symbols."""
    symbols = {argument: symbol for argument, (symbol, _) in statement.symbols.items()}
    return {
        symbols[name]: statement.usual[name] if number is None else float(number) for name, number in arguments.items()
    }


def agrees(statement, arguments, found):
    made, conditions = definitions(statement.where)
    numbers = made | of_symbols(statement, arguments)
    if not all(value(condition, numbers) for condition in conditions):
        return found == inf
    if not statement.implicit:
        return isclose(value(statement.formula, numbers), found, rel_tol=1e-7, abs_tol=1e-9)
    step = 1 if isinstance(found, int) else 1e-6 * max(found, 1.0)
    inside = found == 0 or value(statement.formula, numbers | {"M": found - (0 if step == 1 else step)})
    return inside and not value(statement.formula, numbers | {"M": found + step})


@pytest.mark.parametrize("name", [name for name in STATEMENTS if name not in NOT_COMPUTED])
def test_a_formula_is_what_the_function_computes(name):
    cases = list(admissible(name))
    assert len(cases) >= ENOUGH
    assert len({found for _, found in cases if found < inf}) > 5
    for arguments, found in cases:
        assert agrees(STATEMENTS[name], arguments, found), (arguments, found)


def test_few_formulas_are_not_computed():
    assert set(NOT_COMPUTED) <= set(STATEMENTS) and len(NOT_COMPUTED) <= 3


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_symbol_of_a_formula_is_explained(name):
    """By an argument or by a definition, of which none is idle, and no symbol means two things."""
    statement = STATEMENTS[name]
    symbols = [symbol for symbol, _ in statement.symbols.values()]
    made, conditions = definitions(statement.where)
    assert len(set(symbols)) == len(symbols) == len(statement.required) + len(statement.optional)
    assert not set(symbols) & set(made)
    assert all(meaning and meaning[0] != " " and not meaning.endswith(".") for _, meaning in statement.symbols.values())
    missing = [argument for argument, number in statement.optional.items() if number is None]
    assert name in NOT_COMPUTED or set(statement.usual) == set(missing)
    if name in NOT_COMPUTED:
        return
    used = set().union(*map(symbols_of, [statement.formula, *conditions, *made.values(), *statement.usual.values()]))
    assert used <= {*symbols, *made, "i", *("M" if statement.implicit else "")}
    assert {*symbols, *made} <= used


def test_shared_symbols_are_used():
    used = {pair for one in STATEMENTS.values() for pair in one.symbols.items()}
    assert set(SYMBOLS.items()) <= used and set(BOUNDED) == {one.of for one in STATEMENTS.values()}


def test_a_formula_that_is_wrong_is_found_out():
    """Any number of a formula, changed by one part in a thousand, is noticed."""
    statement = STATEMENTS["winnow_attribute_errors"]
    numbers = {"n": 30, "k": 3, "alpha": 1.5, "w1": 0.1, "attribute_errors": 2, "demotion": None, "theta": None}
    found = THEOREMS["winnow_attribute_errors"](**numbers).value
    assert agrees(statement, numbers, found) and not agrees(statement, numbers, found * 1.001)
    assert not agrees(STATEMENTS["narow"], {"b": 1.0, "norm": 3.0, "energy": 0.0, "updates": 0, "loss": 0.0}, 9.01)


@pytest.mark.parametrize(("formula", "number"), [
    (r"2 \cdot 3^2 - \frac{1}{4}", 17.75), (r"-2^2 + (1 + 1) 3", 2), (r"\ln e^2 + \log_2 8", 5), (r"6/2 x", 12),
    (r"\sum_{i=1}^{3} \binom{3}{i} 2^i", 26), (r"\left\lceil 3.2 \right\rceil \lfloor x/3 \rfloor", 4),
    (r"\max(1, x) + \min(x, 2)", 6), (r"\begin{cases} 1, & x = 0 \cr 7, & x > 0 \end{cases}", 7),
    (r"x_{ab} + \lVert u \rVert_q^2", 34), (r"y", 5), (r"0 \ln 0", 0), (r"\frac{1}{x - 4}", inf),
])  # fmt: skip
def test_formulas_are_computed_as_they_are_read(formula, number):
    assert value(formula, {"x": 4, "x_{ab}": 9, r"\lVert u \rVert_q": 5, "y": "x + 1"}) == pytest.approx(number)


def test_a_condition_holds_or_not():
    assert value(r"x + 1 \le 2 x", {"x": 1}) and not value(r"x > \ln 3", {"x": 1})
