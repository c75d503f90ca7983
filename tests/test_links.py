"""Links: inverse, order, and a user's own."""

import math

import numpy as np
import pytest

import littlestone as ls
from littlestone.errors import InvalidParameter
from littlestone.links import LINKS

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
