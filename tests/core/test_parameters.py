"""Declared parameters: said once in the class, and the checks, the signature and the docstring follow."""

import inspect
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.core.parameters import Declaring, anything, choice, flag, number, whole
from littlestone.learners import LEARNERS

each = pytest.mark.parametrize("kind", LEARNERS.values(), ids=list(LEARNERS))


class Base(Declaring):
    shared: bool = flag(default=False, says="What all have.")
    word: str | None = choice(default=None, among=("a", "b", None), says="A word.")


class Tool(Base):
    """A tool.

    Bound
    -----
    None.
    """

    size: float = number(default=1.0, above=0, below=2, ends="(]", says="How large it is.")
    word: str | None = choice(default="a", among=("a", "b", None), says="Its own word.")
    parts: int = whole(default=3, least=2, most=9, says="How many parts it has.")
    first: object = anything(default=None, takes="anything", kw_only=False, says="The first thing.")


class Must(Base):
    """It must be told something."""

    name: str = anything(takes="str", says="Its name.")

    def _check(self):
        if self.name == "none" and self.shared:
            raise InvalidParameter("Must: none is shared")


class Grown(Tool):
    def __init__(self, *, times):
        super().__init__(size=2 / times, parts=np.int64(4))
        self.times = times


def test_names_come_in_the_order_of_the_class_and_then_of_its_base():
    assert Tool.parameter_names() == ["size", "parts", "first", "shared", "word"]
    assert Tool().params() == {"size": 1.0, "parts": 3, "first": None, "shared": False, "word": "a"}
    assert Base().word is None
    assert Tool("x", size=Fraction(1, 2)).params() == {
        "size": Fraction(1, 2), "parts": 3, "first": "x", "shared": False, "word": "a",
    }  # fmt: skip
    shown = str(inspect.signature(Tool)).replace("'", "")
    assert shown.startswith("(first: object = None, *, size: float = 1.0, parts: int = 3")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"size": 3}, "Tool: size must be a number in (0, 2], got 3"),
        ({"size": None}, "Tool: size must be a number in (0, 2], got None"),
        ({"parts": 1.5}, "Tool: parts must be a whole number >= 2 and <= 9, got 1.5"),
        ({"shared": 1}, "Tool: shared must be True or False, got 1"),
        ({"word": "c"}, "Tool: word must be 'a', 'b' or None, got 'c'"),
        ({"szie": 1}, "Tool: no parameter 'szie'; did you mean size? it takes size, parts, first, shared, word"),
    ],
)
def test_each_is_checked_by_its_declaration(params, message):
    with pytest.raises(InvalidParameter) as refused:
        Tool(**params)
    assert str(refused.value) == message


def test_what_a_base_lets_nobody_change_stays_so():
    learner = ls.Winnow(tie=np.int64(0))
    assert learner.tie == 0 and pickle.loads(pickle.dumps(learner)).tie == learner.copy().tie == 0
    with pytest.raises(AttributeError):
        learner.tie = 1


def test_what_must_be_given_and_what_goes_together():
    assert Must(name="x").name == "x"
    with pytest.raises(InvalidParameter, match="Must: name must be given: str"):
        Must()
    with pytest.raises(InvalidParameter, match="none is shared"):
        Must(name="none", shared=True)
    with pytest.raises(TypeError, match="Tool: expected at most 1 parameters without a name, got 2"):
        Tool(1, 2)
    with pytest.raises(TypeError, match="Tool: first is given twice"):
        Tool(1, first=2)


def test_a_class_may_have_an_init_of_its_own():
    grown = Grown(times=2)
    assert (grown.size, grown.parts, grown.params()) == (1.0, 4, {"times": 2})
    assert list(inspect.signature(Grown).parameters) == ["times"]
    assert Grown.parameters()["times"].default is inspect.Parameter.empty


def test_the_docstring_lists_them_before_the_first_section():
    lines = inspect.getdoc(Tool).splitlines()
    assert lines[2:6] == ["Parameters", "----------", "size : float in (0, 2], default 1.0", "    How large it is."]
    assert lines[-3:] == ["Bound", "-----", "None."]
    assert 'word : "a", "b" or None, default \'a\'' in lines
    assert "parts : int from 2 to 9, default 3" in lines


@each
def test_every_parameter_of_a_learner_has_a_range_a_meaning_and_a_default_within_it(kind):
    told = " ".join(inspect.getdoc(kind).split())
    for name, one in kind.parameters().items():
        assert one.name == name
        assert one.takes and one.says and one.type
        assert one.says in told
        made = kind(**{name: one.default}).params()[name]
        assert made is one.default or made == one.default
    shown = {name: parameter.default for name, parameter in inspect.signature(kind).parameters.items()}
    assert shown == {name: one.default for name, one in kind.parameters().items()}
    assert {name: getattr(kind(), name) for name in shown} == kind().params()


@each
def test_a_learner_with_its_parameters_can_be_pickled_and_shown(kind):
    learner = kind()
    again = pickle.loads(pickle.dumps(learner))
    assert repr(again) == repr(learner) == f"{kind.__name__}()"


def test_what_the_family_shares_is_described_on_every_class():
    for kind in (ls.Winnow, ls.Perceptron, ls.BayesBEG, ls.PNorm, ls.Elimination, ls.QuasiAdditive):
        told = inspect.getdoc(kind)
        assert "averaged : bool, default False\n    Predict with the mean of all hypotheses so far." in told
        assert all(f"\n{name} : " in told for name in ("margin", "negations", "dtype"))
    assert "The thick separator" in inspect.getdoc(ls.BalancedWinnow)
    assert all("covariance : " in inspect.getdoc(kind) for kind in (ls.AROW, ls.SCW, ls.NHERD))


def test_nothing_is_described_twice_in_the_source():
    """The list of parameters in a docstring is made; only a class with an __init__ of its own writes it."""
    folder = Path(ls.__file__).parent / "learners"
    written = {path.stem for path in folder.glob("*.py") if "\n    Parameters\n    ---" in path.read_text("utf-8")}
    assert written <= {path.stem for path in folder.glob("*.py") if "def __init__" in path.read_text("utf-8")}
