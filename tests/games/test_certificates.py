"""Certificates: the ledger is the learner's own, the bound follows, and whatever is altered is caught."""

from math import e, log2

import numpy as np
import pytest

import littlestone as ls
from littlestone import bounds
from littlestone.core.errors import InvalidCertificate, InvalidParameter

N, K = 12, 2
MAKERS = {
    "perceptron": lambda: ls.Perceptron(),
    "perceptron, eta": lambda: ls.Perceptron(eta=0.5),
    "p-norm": lambda: ls.PNorm(p=3),
    "winnow": lambda: ls.Winnow(),
    "winnow 3/2": lambda: ls.Winnow(alpha=1.5, theta=N / K),
    "snow": lambda: ls.Winnow.preset("snow"),
    "tuned winnow": lambda: ls.Winnow.for_disjunctions(N, K, 3),
    "winnow, constant coordinate": lambda: ls.Winnow(bias=True),
    "negations": lambda: ls.Winnow(negations=True),
    "beg": lambda: ls.ThresholdedBEG(),
    "bayes": lambda: ls.BayesBEG.theorem4(N),
    "normalized": lambda: ls.NormalizedWinnow(beta1=3.0, beta0=0.3, theta=0.15),
    "two-sided": lambda: ls.QuasiAdditive(link=ls.links.two_sinh(1.3)),
}
NOISE_FREE = {
    "elimination": lambda: ls.Elimination(),
    "winnow 0": lambda: ls.Winnow(demotion=0),
    "beg 0": lambda: ls.ThresholdedBEG.noise_free(N),
    "bayes 0": lambda: ls.BayesBEG.theorem3(N),
    "normalized 0": lambda: ls.NormalizedWinnow.for_disjunctions(N, K),
}


def stream(seed, noise=0.0, rows=60, n=N):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, n)) < rng.uniform(0.1, 0.5)
    y = X[:, :K].any(axis=1) ^ (rng.random(rows) < noise)
    return ls.from_arrays(X, y.astype(int), labels=(0, 1))


@pytest.mark.parametrize("name", [*MAKERS, *NOISE_FREE])
def test_certificates_of_random_runs_verify(name):
    """A thousand in all; the bound holds, and the JSON is exact."""
    for seed in range(56):
        noise = 0.15 if seed % 2 and name in MAKERS else 0.0
        told = stream(seed, noise)
        run = ls.play((MAKERS | NOISE_FREE)[name](), told)
        certificate = run.certificate(set(range(K)))
        assert certificate.mistakes == run.mistakes <= certificate.bound + 1e-9
        assert certificate.slack == certificate.bound - run.mistakes
        read = ls.Certificate.from_json(certificate.to_json())
        assert read == certificate
        assert ls.verify(read, told) is read


def divergence(name, u, w):
    """The divergences of the papers, from the learner's own weights."""
    if name == "perceptron":
        return 0.5 * np.sum((u - w) ** 2)
    logs = np.sum(u[u > 0] * np.log(u[u > 0] / w[u > 0]))
    if name == "beg":
        rest = 1 - u
        return logs + np.sum(rest[rest > 0] * np.log(rest[rest > 0] / (1 - w[rest > 0])))
    return logs + (np.sum(w - u) if name == "tuned winnow" else 0.0)


@pytest.mark.parametrize("name", ["perceptron", "tuned winnow", "beg", "normalized"])
def test_the_ledger_is_that_of_the_learner(name):
    """Before each mistake, the potential is the divergence of the comparator from the learner's own weights."""
    told = stream(8, noise=0.1, rows=150)
    certificate = ls.play(MAKERS[name](), told).certificate({0, 1})
    scale = certificate.terms.get("scale", 1.0)
    u = np.zeros(N + certificate.rules.bias)
    u[list(certificate.attributes)] = np.array(certificate.weights) * scale
    entries = {entry.trial: entry for entry in certificate.entries}
    learner = MAKERS[name]().begin(N, labels=(0, 1))
    for block in told.blocks(1):
        if block.start in entries:
            w, theta = learner.hypothesis()
            w = np.append(w, -theta) if certificate.rules.bias else w
            assert entries[block.start].before == pytest.approx(divergence(name, u, w), abs=1e-9)
        learner.learn(block)


def test_the_total_weight_is_that_of_the_learner():
    told = stream(8, rows=150)
    certificate = ls.play(ls.Winnow(), told).certificate({0, 1})
    entries = {entry.trial: entry for entry in certificate.entries}
    learner = ls.Winnow().begin(N, labels=(0, 1))
    for block in told.blocks(1):
        if block.start in entries:
            assert entries[block.start].before == pytest.approx(learner.hypothesis().w.sum())
        learner.learn(block)
    assert {i: count for i, (count, _) in certificate.counts.items()} == {
        i: round(log2(w)) for i, w in list(learner.weights().items())[:K]
    }


@pytest.mark.parametrize("seed", range(8))
def test_the_bound_is_the_theorem_with_the_errors_on_mistakes(seed):
    told = stream(seed, noise=0.1, rows=200)
    X = np.zeros((200, N))
    X[np.repeat(np.arange(200), np.diff(told.block.indptr)), told.block.indices] = 1
    on, y = X[:, :K].sum(axis=1), told.block.outcomes

    def errors(run):
        return int(np.where(y == 1, on == 0, on)[run.mistake_trials].sum())

    run = ls.play(ls.ThresholdedBEG(), told)
    expected = bounds.thresholded_beg(n=N, k=K, attribute_errors=errors(run)).value
    assert run.certificate({0, 1}).bound == pytest.approx(expected)
    run = ls.play(ls.Winnow(), told)
    weight, far = run.certificate({0, 1}), run.certificate({0, 1}, kind="divergence")
    assert weight.bound == bounds.winnow_disjunction(n=N, k=K, attribute_errors=errors(run)).value
    expected = bounds.winnow_attribute_errors(n=N, k=K, theta=N, w1=1.0, attribute_errors=errors(run)).value
    assert far.bound == pytest.approx(expected)
    run = ls.play(ls.BayesBEG.theorem4(N), told)
    expected = bounds.bayes_beg_theorem4_sharper(n=N, k=K, attribute_errors=errors(run)).value
    assert run.certificate({0, 1}).bound <= expected  # which takes each error for the worse of the two kinds
    run = ls.play(ls.NormalizedWinnow(beta1=e, beta0=1 / e, theta=0.2), told)
    expected = bounds.normalized_winnow_disjunction(
        n=N, k=K, beta1=e, beta0=1 / e, theta=0.2, attribute_errors=errors(run)
    ).value
    assert run.certificate({0, 1}).bound <= expected + 1e-9


def test_weights_as_comparators():
    rng = np.random.default_rng(0)
    u = np.array([1.0, -2.0, 0.5, 0.25])
    X = rng.normal(size=(300, 4))
    X = X[np.abs(X @ u) > 0.3]
    y = (X @ u > 0).astype(int)
    told = ls.from_arrays(X, y)
    run = ls.play(ls.Perceptron(bias=False), told)
    certificate = run.certificate(u)
    gamma, radius = np.abs(X @ u).min(), np.linalg.norm(X, axis=1).max()
    expected = bounds.perceptron_margin(radius=radius, norm=np.linalg.norm(u), gamma=gamma).value
    assert certificate.bound == pytest.approx(expected)
    ls.verify(certificate, told)
    wide = run.certificate(u, gamma=2.0)
    assert "2.2" in wide.theorem and wide.mistakes <= wide.bound
    positive = np.array([0.6, 0.0, 0.4, 0.0])
    X = rng.uniform(-1, 1, size=(200, 4))
    X = X[np.abs(X @ positive) > 0.2]
    told = ls.from_arrays(X, (X @ positive > 0).astype(int))
    gamma, radius = np.abs(X @ positive).min(), np.abs(X).max()
    learner = ls.NormalizedWinnow.for_margin(4, gamma, radius=radius)
    certificate = ls.play(learner, told).certificate(positive)
    assert certificate.theorem == "Agarwal, Theorem 3.1"
    entropy = -np.sum(positive[positive > 0] * np.log(positive[positive > 0]))
    expected = bounds.normalized_winnow_margin(n=4, gamma=gamma, eta=learner.eta, radius=radius, entropy=entropy).value
    assert certificate.bound == pytest.approx(expected)
    ls.verify(certificate, told)


def test_a_hypothesis_names_and_hindsight_as_comparators():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.random((100, 4)) < 0.4, columns=list("abcd"))
    told = ls.from_arrays(frame, (frame.b | frame.d).astype(int))
    run = ls.play(ls.Winnow(), told)
    assert run.certificate({"b", "d"}).attributes == (1, 3)
    assert ls.verify(run.certificate(["b", "d"]), told).bound == run.certificate(np.array([1, 3])).bound
    best = ls.hindsight.best_disjunction(told)
    assert run.certificate(best) == run.certificate({1, 3}) == run.certificate(np.array([False, True, False, True]))
    run = ls.play(ls.Perceptron(), told)
    by_hypothesis = run.certificate(ls.Hypothesis(np.array([0.0, 1.0, 0.0, 1.0]), 0.5))
    assert by_hypothesis.bound == run.certificate({1, 3}).bound


def test_a_potential_of_ones_own_gives_link_learner_and_ledger():
    entropy = ls.from_potential(lambda w: w * np.log(w) - w, domain=(0.0, np.inf))
    told = stream(2, rows=150)
    learner = ls.QuasiAdditive(link=entropy, theta=3.0, bias=False, eta=0.7)
    run = ls.play(learner, told)
    u = np.full(N, 1e-3)
    u[:K] = 7.0
    certificate = run.certificate(u, gamma=2.0)
    assert certificate.mistakes == run.mistakes <= certificate.bound
    w = np.ones(N)
    assert certificate.start == pytest.approx(np.sum(u * np.log(u / w) + w - u))
    ls.verify(certificate, told, link=entropy)
    with pytest.raises(InvalidCertificate, match="from_potential"):
        ls.verify(certificate, told)


def test_a_game_with_a_teacher_is_certified_from_its_record():
    class Ladder(ls.Teacher):
        n_attributes = 4

        def trial(self, view):
            return (np.eye(4, dtype=bool)[view.trials], int(view.trials == 3)) if view.trials < 4 else None

    with pytest.raises(InvalidParameter, match="record=True"):
        ls.play(ls.Winnow(), Ladder()).certificate({3})
    run = ls.play(ls.Winnow(theta=1), Ladder(), record=True)
    certificate = run.certificate({3})
    assert certificate.mistakes == 3
    assert [entry.trial for entry in certificate.entries] == [0, 1, 2]


def test_blocks_leave_no_trace():
    class Cut(ls.Stream):
        labels, n_attributes = (0, 1), N

        def __init__(self, told, size):
            self.told, self.size = told, size

        def blocks(self, rows=8192):
            return self.told.blocks(min(rows, self.size))

    told = stream(1, rows=100)
    certificate = ls.play(ls.Winnow(), told).certificate({0, 1})
    for size in (1, 7, 1000):
        assert ls.play(ls.Winnow(), Cut(told, size)).certificate({0, 1}).to_json() == certificate.to_json()
        ls.verify(certificate, Cut(told, size))


def test_part_of_a_stream():
    told = stream(1, rows=100)
    run = ls.play(ls.Winnow(), told, trials=40)
    assert ls.verify(run.certificate({0, 1}), told).trials == 40


@pytest.mark.parametrize(
    ("learner", "arguments", "words"),
    [
        (ls.Winnow(averaged=True), {}, "averaged"),
        (ls.Winnow(margin=1.0), {}, "no mistake"),
        (ls.BayesBEG(policy="always"), {}, "no mistake"),
        (ls.Winnow(dtype="float32"), {}, "float64"),
        (ls.Winnow(randomized=True), {}, "randomised"),
        (ls.Perceptron(w1=1.0), {}, "starts at zero"),
        (ls.Perceptron(theta=1.0), {}, "theta 0"),
        (ls.QuasiAdditive(link=ls.links.power(2.0)), {}, "theta > 0"),
        (ls.Perceptron(bias=False), {}, "constant coordinate"),
        (ls.QuasiAdditive(link=ls.link(lambda z: z * z * z)), {}, "from_potential"),
        (ls.BayesBEG(gamma=0.7), {}, "Theorem 3 or 4"),
        (ls.Winnow(), {"kind": "weigth"}, "kind must be"),
        (ls.Winnow(), {"comparator": {"a"}}, "by name or by position"),
        (ls.Winnow(), {"comparator": {N}}, "0 to 11"),
        (ls.Winnow(), {"comparator": [1, 1]}, "each attribute once"),
        (ls.Winnow(), {"comparator": np.ones(3)}, "12 weights"),
        (ls.Winnow(), {"comparator": np.full(N, np.nan)}, "12 weights"),
        (ls.Winnow(), {"comparator": np.ones(N)}, "disjunction"),
        (ls.ThresholdedBEG(), {"comparator": np.full(N, 2.0), "gamma": 1.0}, "from 0 to 1"),
        (ls.ThresholdedBEG(), {"comparator": -np.ones(N), "gamma": 1.0}, "negative"),
        (ls.Perceptron(), {"gamma": -1.0}, "number > 0"),
        (ls.Perceptron(), {"comparator": np.zeros(N + 1), "gamma": 1.0}, "not 0"),
        (ls.Elimination(), {"kind": "divergence"}, "gains"),
        (ls.Winnow(), {"comparator": 3}, "expected a set"),
        (ls.Winnow(), {"comparator": "ab"}, "expected a set"),
    ],
)
def test_what_cannot_be_certified_says_why(learner, arguments, words):
    run = ls.play(learner.copy(), stream(0))
    arguments = {"comparator": {0, 1}, **arguments}
    with pytest.raises(InvalidParameter, match=words):
        run.certificate(**arguments)


def test_other_refusals():
    told = stream(0)
    learner = ls.Winnow()
    ls.play(learner, told)
    with pytest.raises(InvalidParameter, match="had learned before"):
        ls.play(learner, told).certificate({0, 1})
    with pytest.raises(InvalidCertificate, match="expected a Certificate"):
        ls.verify("{}", told)
    for text in ("", "{}", "[]", '{"format": "littlestone certificate 1"}', '{"format": "other"}'):
        with pytest.raises(InvalidCertificate):
            ls.Certificate.from_json(text)
    noisy = stream(1, noise=0.3, rows=300)
    with pytest.raises(InvalidParameter, match="attribute errors"):
        ls.play(ls.Elimination(), noisy).certificate({0, 1})
    with pytest.raises(InvalidParameter, match="attribute errors"):
        ls.play(ls.ThresholdedBEG.noise_free(N), noisy).certificate({0, 1})
    values = ls.from_arrays(np.array([[0.5, 3.0], [1.0, 0.0]]), [1, 0])
    with pytest.raises(InvalidParameter, match="from 0 to 1"):
        ls.play(ls.ThresholdedBEG(), values).certificate({0})


def test_a_certificate_of_no_mistakes():
    told = ls.from_arrays(np.zeros((5, 3), dtype=bool), np.zeros(5), labels=(0, 1))
    for learner in (ls.Winnow(), ls.ThresholdedBEG(), ls.Elimination()):
        certificate = ls.play(learner, told).certificate({0})
        assert certificate.mistakes == 0 <= certificate.bound
        ls.verify(certificate, told)
    assert "0 mistakes in 5 trials" in str(certificate)


@pytest.mark.parametrize(
    ("learner", "rows", "y", "comparator", "gamma"),
    [
        (ls.Winnow(alpha=1e10, theta=1), [[1]], [0], [], None),
        (ls.Winnow(alpha=2, demotion=1e-12, theta=1), np.eye(64), np.zeros(64), [], None),
        (ls.Winnow(alpha=2, demotion=1 / 3, theta=1), [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], [0, 0, 0, 1], [],
         None),
        (ls.Winnow(alpha=1.5, demotion=2 / 3, theta=4 / 3), [[1, 0, 0], [0, 1, 0], [1, 1, 0]], [0, 0, 1], [0], None),
        (ls.Winnow(theta=2), [[0.5, 0.0]] * 8, [1] * 8, [0], None),
        (ls.Winnow(theta=2), [[0.01, 1.0]] * 200, [1, 0] * 100, [0], None),
        (ls.ThresholdedBEG(w1=1 - 1e-9), np.eye(5), [1, 0, 0, 1, 0], [0, 3], None),
        (ls.NormalizedWinnow(eta=10.0), np.random.default_rng(0).choice([-1.0, 1.0], (400, 2)),
         np.random.default_rng(1).integers(0, 2, 400), np.ones(2), 20.0),
        (ls.NormalizedWinnow(eta=600.0), [[-2.0, 2.0]], [0], np.array([1.0, 0.0]), 2.0),
        (ls.PNorm(p=40), np.random.default_rng(0).normal(size=(200, 5)), np.random.default_rng(1).integers(0, 2, 200),
         [0], None),
    ],
)  # fmt: skip
def test_honest_runs_at_the_limits(learner, rows, y, comparator, gamma):
    told = ls.from_arrays(np.asarray(rows), np.asarray(y, dtype=int), labels=(0, 1))
    run = ls.play(learner.copy(), told)
    certificate = run.certificate(comparator, gamma=gamma)
    assert run.mistakes == certificate.mistakes <= certificate.bound * (1 + 1e-9)
    ls.verify(ls.Certificate.from_json(certificate.to_json()), told)


@pytest.mark.parametrize(
    ("learner", "rows", "comparator", "words"),
    [
        (ls.NormalizedWinnow(eta=1000.0), [[-2.0, 2.0]], np.array([1.0, 0.0]), "e.700"),
        (ls.NormalizedWinnow(beta1=2.0, beta0=0.1, theta=0.0), [[1.0, 0.0]], [0], "beta0 = 1/beta1"),
        (ls.NormalizedWinnow(eta=1.0, theta=0.1), [[-1.0, 1.0]], np.array([1.0, 0.0]), "from 0 to 1, got -1"),
        (ls.QuasiAdditive(link=ls.from_potential(lambda w: w * np.log(w) - w, domain=(0, np.inf)), bias=False),
         [[1.0, 0.0]], np.array([1.0, 0.0]), "outside its domain"),
    ],
)  # fmt: skip
def test_where_a_proof_does_not_reach(learner, rows, comparator, words):
    run = ls.play(learner, ls.from_arrays(np.asarray(rows), [0], labels=(0, 1)))
    with np.errstate(all="ignore"), pytest.raises(InvalidParameter, match=words):
        run.certificate(comparator, gamma=2.0)


@pytest.mark.parametrize("gamma", [0, -1, "x", float("inf"), [1], True, 10**400])
def test_gamma_is_a_number(gamma):
    run = ls.play(ls.ThresholdedBEG(), stream(0))
    with pytest.raises(InvalidParameter, match="gamma"):
        run.certificate({0}, gamma=gamma)
    assert run.certificate({0}, gamma=np.float32(1.0)).terms["gamma"] == 1.0


def test_no_trials_no_certificate():
    with pytest.raises(InvalidParameter, match="no trial"):
        ls.play(ls.Winnow(), stream(0), trials=0).certificate({0})
