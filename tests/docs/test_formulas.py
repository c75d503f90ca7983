"""Formulas: what latex2mathml leaves to be set right."""

import doctest

import pytest

pytest.importorskip("latex2mathml", reason="make .venv/docs installs it")

from docs.building import formulas
from docs.building.formulas import mathml

THIN = '<mspace width="0.167em" />'


def test_examples_run():
    assert not doctest.testmod(formulas).failed


@pytest.mark.parametrize(("formula", "part"), [
    (r"\ln\frac{a}{b}", f"<mi>ln</mi>{THIN}<mfrac>"),
    (r"\lceil \log_2 n \rceil", f"⌈</mi><msub><mi>log</mi><mn>2</mn></msub>{THIN}<mi>n</mi>"),
    (r"\exp(x)", '<mi>exp</mi><mo stretchy="false">('),
    (r"10{,}000", "<mn>10</mn><mrow><mtext>,</mtext></mrow><mn>000</mn>"),
    (r"\mathbb{1}", "<mn>\U0001d7d9</mn>"),
    (r"f(-x)", '<mo form="prefix">\u2212</mo>'),
    (r"a - x", "<mo>\u2212</mo>"),
    (r"\lVert u \rVert", '<mo stretchy="false" lspace="0" rspace="0">‖</mo>'),
])  # fmt: skip
def test_it_looks_as_in_tex(formula, part):
    assert part in mathml(formula)


def test_limits_stand_below_in_a_formula_of_its_own():
    assert "<munder><mo" in mathml(r"\min_u f(u)", display="block") and "<msub><mo" in mathml(r"\min_u f(u)")


@pytest.mark.parametrize(
    "formula", [r"\begin{aligned} a &= b \\ c &= d \end{aligned}", r"\begin{cases} a & b \end{cases}"]
)
def test_tables_of_formulas(formula):
    made = mathml(formula, display="block")
    assert "<mtable" in made and "&amp;" not in made


@pytest.mark.parametrize("formula", [r"\nosuch{x}", "a & b", r"\begin{nosuch} a & b \end{nosuch}"])
def test_what_is_not_understood_is_refused(formula):
    with pytest.raises(ValueError, match="no such command"):
        mathml(formula)
