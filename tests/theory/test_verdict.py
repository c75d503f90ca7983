"""The bound that holds on one stream: against any comparator, for every learner, whatever the labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import littlestone as ls
from littlestone import bounds
from littlestone.bounds import on_stream
from littlestone.learners import DirectBayes, WeightedMajority
from littlestone.theory.hindsight import attribute_errors, best_disjunction, comparators, greedy_path, tightest
from tests import strategies

LEARNERS = {
    "perceptron": lambda n: ls.Perceptron(),
    "p-norm": lambda n: ls.PNorm(p=3),
    "winnow": lambda n: ls.Winnow(),
    "winnow, ties 0": lambda n: ls.Winnow(tie=0),
    "winnow 3/2": lambda n: ls.Winnow(alpha=1.5, theta=n / 2),
    "snow": lambda n: ls.Winnow.preset("snow"),
    "winnow 0": lambda n: ls.Winnow(demotion=0),
    "tuned winnow": lambda n: ls.Winnow.for_disjunctions(n, 1, 2),
    "beg": lambda n: ls.ThresholdedBEG(),
    "beg 0": lambda n: ls.ThresholdedBEG.noise_free(n),
    "bayes 3": lambda n: ls.BayesBEG.theorem3(n),
    "bayes 4": lambda n: ls.BayesBEG.theorem4(n),
    "normalized": lambda n: ls.NormalizedWinnow(beta1=2.5, beta0=0.4, theta=0.2),
    "elimination": lambda n: ls.Elimination(),
    "direct": lambda n: WeightedMajority(policy="mistakes"),
    "direct, bounded": lambda n: DirectBayes(max_size=2, noise=0.3),
}


@pytest.mark.parametrize("name", LEARNERS)
@given(strategies.streams(min_n=2, max_n=6, max_rows=40), st.data())
def test_every_bound_of_every_comparator_holds(name, stream, data):
    told = ls.from_arrays(stream.X, stream.y, labels=(0, 1))
    target = data.draw(st.lists(st.integers(0, stream.n - 1), max_size=stream.n, unique=True))
    run = ls.play(LEARNERS[name](stream.n), told)
    for comparator in (attribute_errors(told, target), best_disjunction(told), *greedy_path(told)):
        verdict = tightest(run, [comparator])
        assert (verdict.bound is None) == (verdict.why_not is not None)
        if verdict.bound is not None:
            assert run.mistakes <= verdict.bound.value + 1e-9


@pytest.mark.parametrize("name", LEARNERS)
def test_without_noise_everyone_has_a_bound(name):
    stream = ls.teachers.Disjunction(n=40, k=1, trials=300)
    run = ls.play(LEARNERS[name](40), stream)
    verdict = tightest(run, comparators(stream, target=stream.target))
    assert run.mistakes <= verdict.bound.value


def test_the_smallest_bound_wins():
    stream = ls.teachers.Disjunction(n=40, k=3, trials=2000, noise=0.02)
    run = ls.play(ls.Winnow(), stream)
    path = greedy_path(stream)
    values = [tightest(run, [one]).bound.value for one in path]
    verdict = tightest(run, path)
    assert verdict.bound.value == min(values)
    assert verdict.comparator is path[int(np.argmin(values))]
    assert verdict.as_dict()["comparator"]["k"] == verdict.comparator.k


def test_why_there_is_none():
    stream = ls.teachers.Disjunction(n=20, k=2, trials=100)
    assert "no theorem" in tightest(ls.play(ls.BalancedWinnow(), stream), comparators(stream)).why_not
    assert "no comparator" in tightest(ls.play(ls.Winnow(), stream), []).why_not
    assert "about margins" in on_stream(bounds.normalized_winnow_margin(n=3, gamma=0.5, eta=0.1), k=1, X=3)
    assert "at most 2 attributes" in on_stream(bounds.direct_weighted_majority(n=9, k=2, beta=0.5), k=3, X=3)
    assert "at(errors=...)" in on_stream(bounds.weighted_majority_randomized(experts=9, beta=0.5), k=3, X=3)
    assert "A=2" in on_stream(bounds.bayes_beg_theorem3(n=3, k=1), k=1, attribute_errors=2, X=3)
    assert "k=3" in on_stream(bounds.normalized_winnow_disjunction(n=9, k=1, beta1=2.0, beta0=0.0, theta=0.3), k=3, X=3)
    values = ls.from_arrays([[0.5, 2.0], [1.0, 0.0]], [0, 1])
    with pytest.raises(ls.InvalidData, match="Boolean"):
        comparators(values)
    with pytest.raises(ls.InvalidLabel):
        comparators(ls.from_arrays([[1, 0], [0, 1], [1, 1]], ["a", "b", "c"]))


def test_comparators():
    stream = ls.teachers.Disjunction(n=20, k=2, trials=100)
    assert comparators(stream, target=[1, 0])[-1] == comparators(stream, target=np.arange(2))[-1]
    assert comparators(stream, exact=True, time_limit=10)[-1].exact
    with pytest.raises(ls.InvalidData, match="Stream"):
        comparators(ls.teachers.Hadamard(3))


@pytest.mark.parametrize("learner", [ls.Perceptron(negations=True), ls.PNorm(p=3, negations=True)], ids=repr)
def test_with_negations_every_row_has_n_literals_on(learner):
    n = 60
    eye = np.eye(n, dtype=bool)
    rows = np.array([eye[j] for i in range(1, n) for j in (0, i)])
    stream = ls.from_arrays(rows, [1, 0] * (n - 1))
    run = ls.play(learner, stream)
    assert run.mistakes <= tightest(run, comparators(stream)).bound.value


@pytest.mark.parametrize("marks", ["x", "xob"])
def test_learners_of_dnf_are_held_against_the_terms_of_the_stream(marks):
    stream = ls.datasets.tic_tac_toe(marks=marks)
    runs = ls.play_all([ls.KernelWinnow(max_size=3), ls.KernelPerceptron("monotone:3"), ls.KernelWinnow(max_size=2),
                        ls.Perceptron()], stream)  # fmt: skip
    winnow, perceptron, short, linear = (tightest(run, [], terms=stream.terms) for run in runs)
    assert runs[0].mistakes <= winnow.bound.value == runs[0].guarantee.at(k=8).value
    assert runs[1].mistakes <= perceptron.bound.value == runs[1].guarantee.at(k=8).value
    assert winnow.as_dict()["comparator"]["k"] == 8
    assert short.bound is None  # lines have three squares
    assert linear.bound is None


@pytest.mark.parametrize("stream", [
    *(ls.datasets.tic_tac_toe(marks=marks) for marks in ("x", "xo", "xob")), ls.datasets.monks(1), ls.datasets.monks(3),
    ls.teachers.DNF(n=12, k=3, size=2, trials=500), ls.teachers.KernelTrap(n=40, sets=5, size=2, overlap=1),
    ls.teachers.KernelTrapSample(n=320, trials=50),
], ids=repr)  # fmt: skip
def test_terms_of_a_stream_are_what_its_labels_follow(stream):
    for block in stream.blocks():
        X = sparse.csr_matrix((np.ones(len(block.indices)), block.indices.astype(np.int64), block.indptr)).toarray() > 0
        X = np.pad(X, ((0, 0), (0, stream.n_attributes - X.shape[1])))
        said = np.any([X[:, list(term)].all(axis=1) for term in stream.terms], axis=0)
        assert said.tolist() == (block.outcomes == 1).tolist()


def test_streams_whose_labels_follow_no_short_dnf_say_so():
    noisy = ls.teachers.DNF(n=12, k=3, size=2, trials=500, noise=0.1)
    for stream in (noisy, ls.datasets.monks(2), ls.datasets.tic_tac_toe(marks="o"), ls.teachers.DecisionList(3)):
        assert stream.terms is None
