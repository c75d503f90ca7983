"""Links: inverse, order, and a user's own."""

import math

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.parts.links import LINKS

Z = np.linspace(-4.0, 4.0, 33)


@pytest.mark.parametrize("name", LINKS)
def test_a_link_rises_and_its_inverse_undoes_it(name):
    link = LINKS[name]
    w = link(Z)
    assert np.all(np.diff(w) > 0)
    assert link.inverse(w) == pytest.approx(Z, abs=1e-9)
    assert link.potential
    assert link(0.5).shape == ()


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("identity", lambda z: z),
        ("power", lambda z: 2.0**z),
        ("two_sinh", lambda z: 1.5**z - 1.5**-z),
        ("exponential", math.exp),
        ("sigmoid", lambda z: 1 / (1 + math.exp(-z))),
        ("p_norm", lambda z: math.copysign(abs(z) ** 3, z)),
        ("bayes", lambda z: math.log(3.0) + math.log(0.5) + math.log((1 + 2 * math.exp(z)) / (1 + 0.5 * math.exp(z)))),
    ],
)
def test_a_link_is_its_formula(name, formula):
    assert LINKS[name](Z) == pytest.approx([formula(z) for z in Z])


def test_links_at_minus_infinity_are_no_nan():
    assert LINKS["power"](-np.inf) == 0.0
    assert LINKS["exponential"](-np.inf) == 0.0
    assert LINKS["sigmoid"](-np.inf) == 0.0
    assert ls.links.bayes(2.0, 0.0, 0.6)(-np.inf) == pytest.approx(math.log(1.5))


def test_a_users_link():
    link = ls.link(math.tanh, inverse=np.arctanh)
    assert link(Z) == pytest.approx(np.tanh(Z))
    assert link.inverse(link(Z)) == pytest.approx(Z)
    assert link.name == "tanh"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda z: -z, "does not decrease"),
        (lambda z: str(z), "cannot compile"),
        (3.0, "expected a function"),
    ],
)
def test_what_is_no_link(function, words):
    with pytest.raises(InvalidParameter, match=words):
        ls.link(function)


def test_a_users_link_without_an_inverse_says_so():
    with pytest.raises(InvalidParameter, match="no inverse is known"):
        ls.link(lambda z: z**3).inverse([1.0])


CLOSED = {
    "squared": (lambda w: 0.5 * w * w, {}, lambda z: z, 300.0),
    "quartic": (lambda w: 0.25 * w * w * w * w, {}, np.cbrt, 300.0),
    "entropy": (lambda w: w * np.log(w) - w, {"domain": (0.0, np.inf)}, np.exp, 600.0),
    "binary": (
        lambda w: w * np.log(w) + (1 - w) * np.log(1 - w),
        {"domain": (0, 1)},
        lambda z: 1 / (1 + np.exp(-z)),
        300.0,
    ),
    "barrier": (lambda w: -np.log(w), {"domain": (0.0, np.inf)}, lambda z: -1 / z, -300.0),
    "given": (
        lambda w: abs(w) ** 3 / 3,
        {"gradient": lambda w: w * abs(w)},
        lambda z: np.sign(z) * np.sqrt(abs(z)),
        300.0,
    ),
}


@pytest.mark.parametrize("name", CLOSED)
def test_potentials_with_known_links(name):
    potential, options, expected, most = CLOSED[name]
    z = np.linspace(-abs(most), 0.0 if most < 0 else most, 41)
    z = z[z != 0.0] if name == "barrier" else z
    found = ls.from_potential(potential, **options)(z)
    if name == "binary":
        found, expected = np.minimum(found, 1 - 1e-16), lambda z: np.minimum(1 / (1 + np.exp(-z)), 1 - 1e-16)
    assert found == pytest.approx(expected(z), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("potential", "options", "words"),
    [
        (lambda w: w**4 / 4, {}, "products"),
        (lambda w: 0.5 * w * w, {"gradient": lambda w: 5.0 * w}, "another one"),
        (lambda w: math.log(w), {"domain": (0, 5)}, "math.log"),
        (lambda w: -w * w, {}, "strictly convex"),
        (lambda w: 3.0 * w, {}, "strictly convex"),
        (None, {}, "Python function"),
        (np.square, {}, "Python function"),
        (lambda w: w * w, {"gradient": math.sinh}, "Python function"),
        (lambda w: w * w, {"domain": None}, "low < high"),
        (lambda w: w * w, {"domain": (1, 0)}, "low < high"),
        (lambda w: w * w, {"domain": ("a", "b")}, "low < high"),
        (lambda w: w * w, {"domain": (0, 1, 2)}, "low < high"),
    ],
)
def test_potentials_that_are_refused(potential, options, words):
    with pytest.raises(ls.InvalidParameter, match=words):
        ls.from_potential(potential, **options)
