"""Learners from words: every spelling of a name, parameters behind it, and what is wrong with words that are none."""

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidParameter
from littlestone.core.spelling import hyphened, meant, split_names, split_settings
from littlestone.learners import COMPOSITES, LEARNERS, by_name, command_name, learner_of
from littlestone.learners.purposes import ALL, LISTS, MANY_CLASSES, PRACTICAL, PURPOSES, THEORY


@pytest.mark.parametrize("name", LEARNERS)
def test_every_spelling_of_every_name_is_the_learner(name):
    kind = LEARNERS[name]
    for spelled in (name, name.upper(), name.replace("-", "_"), name.title().replace("-", "_"), kind.__name__):
        assert by_name(spelled) is kind
        assert type(learner_of(spelled)) is kind


def test_names_of_learners_differ_in_more_than_their_spelling():
    assert len({hyphened(name).replace("-", "") for name in [*LEARNERS, *COMPOSITES]}) == len([*LEARNERS, *COMPOSITES])


def test_parameters_follow_the_name():
    learner = learner_of("winnow:alpha=3/2,theta=100:negations=true", "margin=0.5")
    assert (learner.alpha, learner.theta, learner.negations, learner.margin) == (Fraction(3, 2), 100, True, 0.5)
    assert learner_of("Kernel_Perceptron:kernel=monotone:2,budget=100").params()["budget"] == 100
    assert learner_of("winner-takes-all:learner=Perceptron/averaged=true").params()["learner"] is not None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("winow",), "learner: expected the name of a learner, got 'winow'; did you mean winnow"),
        (("qqqq",), "got 'qqqq'; ls.learners.LEARNERS has them all"),
        ((7,), "learner: expected a name, such as 'winnow:alpha=1.5', got 7"),
        (("winnow:alhpa=2",), "winnow: no parameter 'alhpa'; did you mean alpha"),
        (("winnow:zzz=2",), r"winnow: no parameter 'zzz'; Winnow.parameters\(\) says what it takes"),
        (("winnow:alpha",), "winnow: expected PARAM=VALUE with one of alpha, .*got 'alpha'"),
        (("winnow:",), "winnow: expected PARAM=VALUE"),
        (("sbsb:x=1",), "sbsb: expected no parameters, got 'x=1'"),
        (("winnow:alpha=2,alpha=3",), "winnow: expected alpha once, got it twice"),
        (("winnow:alpha=2", "alpha=3"), "twice"),
        (("winnow:alpha=1/2",), "Winnow: alpha must be a number > 1, got Fraction.*parameters"),
        (("Experts",), r"learner: experts is made of other learners, .*make it in Python: Experts\(\.\.\.\)"),
    ],
)
def test_wrong_words_say_where_what_and_the_remedy(words, told):
    with pytest.raises(InvalidParameter, match=told):
        learner_of(*words)


def test_the_place_goes_before_the_error():
    with pytest.raises(InvalidParameter, match="^WinnerTakesAll: perceptron: no parameter 'etta'; did you mean eta"):
        ls.WinnerTakesAll(learner="perceptron:etta=2")


@given(
    st.lists(st.sampled_from(["winnow", "p-norm:p=3", "arow:r=1/2,bias=false", "greedy:target=0,1,n=4"]), min_size=1)
)
def test_a_list_of_names_comes_apart_where_it_was_joined(names):
    assert split_names(",".join(names)) == names
    assert split_names(" , ".join(names)) == names


def test_words_that_are_no_names():
    assert split_settings("data/mail.svm") == ("data", ["mail.svm"])  # whoever takes files looks for them first
    assert split_names(" ,, ") == []
    assert meant("", ["a"]) is None


def test_lists_name_learners_that_there_are():
    assert LISTS == {"practical": PRACTICAL, "theory": THEORY, "all": ALL}
    for name in (*ALL, *MANY_CLASSES):
        learner_of(name.removeprefix("tuned-"))
    named = [name for purpose in PURPOSES for name in purpose.names]
    assert sorted(named) == sorted(name for name in LEARNERS if LEARNERS[name].__module__.startswith("littlestone"))


def test_practical_learners_are_those_with_the_fewest_mistakes_on_real_data():
    file = Path(ls.__file__).parents[2] / "docs" / "peers.json"
    if not file.is_file():
        pytest.skip("the measurements are not beside the package")
    told = json.loads(file.read_text())
    sets = [one["mistakes"] for one in told["real"].values()]
    mean = {
        command_name(getattr(ls, name)): math.fsum(math.log(1 + mistakes[name]) for mistakes in sets)
        for name in told["ours"]
        if all(mistakes.get(name) is not None for mistakes in sets)
    }
    best = sorted(mean, key=mean.__getitem__)
    assert best[0] == PRACTICAL[0] == "auto"
    assert set(best[:7]) <= set(PRACTICAL)
    assert "winnow" not in PRACTICAL and best.index("winnow") > best.index("perceptron")
