"""Certificates of losses: the ledger is the learner's own, the bound follows, and whatever is altered is refused."""

import json
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.core.errors import InvalidCertificate, InvalidParameter
from tests.games.test_forgeries import altered, leaves

N = 5
MAKERS = {
    "gradient descent": lambda bias: ls.GradientDescent(X=3.0, c=0.7, bias=bias),
    "gradient descent, eta": lambda bias: ls.GradientDescent(X=3.0, eta=0.02, bias=bias),
    "EG": lambda bias: ls.ExponentiatedGradient(X=3.0, bias=bias),
    "EG, eta": lambda bias: ls.ExponentiatedGradient(X=3.0, eta=0.1, bias=bias),
    "EG+-": lambda bias: ls.EGPlusMinus(X=2.0, U=1.5, c=2.0, bias=bias),
    "BEG": lambda bias: ls.BEGRegression(X=3.0, bias=bias),
    "BEG, a half": lambda bias: ls.BEGRegression(X=3.0, w1=0.5, bias=bias),
}


def stream(seed, rows=40, *, boolean=False):
    rng = np.random.default_rng(seed)
    X = rng.random((rows, N)) < 0.5 if boolean else rng.uniform(-1.0, 1.0, (rows, N)) * (rng.random((rows, N)) < 0.7)
    y = X @ np.array([0.5, 0.3, 0.0, 0.2, 0.0]) + rng.normal(0.0, 0.3, rows)
    return ls.from_arrays(X, y, task="regression")


def comparator(name, bias):
    u = np.array([0.5, 0.25, 0.0, 0.25, 0.0])
    return ls.Hypothesis(0.9 * u, -0.1) if bias else u if name[:3] != "EG+" else -0.8 * u


@pytest.mark.parametrize("boolean", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", MAKERS)
def test_certificates_of_random_runs_verify(name, bias, boolean):
    for seed in range(4):
        told = stream(seed, boolean=boolean)
        run = ls.play(MAKERS[name](bias), told)
        u = comparator(name, bias)
        certificate = run.certificate(u)
        assert certificate.loss == pytest.approx(run.loss, rel=1e-9) and certificate.loss <= certificate.bound
        assert certificate.against == pytest.approx(run.loss_of(u), rel=1e-9)
        assert certificate.slack == certificate.bound - certificate.loss
        assert [one.loss for one in certificate.entries] == pytest.approx(run.losses, rel=1e-7, abs=1e-12)
        read = ls.LossCertificate.from_json(certificate.to_json())
        assert read == certificate and ls.verify(read, told) is read
        assert f"loss {certificate.loss:.4g} in 40 trials, at most" in str(certificate)
        assert run.guarantee.theorem == certificate.theorem
        assert "could have been lost, as the ledger" in certificate._repr_html_()


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", MAKERS)
def test_its_bound_is_the_guarantees(name, bias):
    told = stream(9)
    run = ls.play(MAKERS[name](bias), told)
    u = comparator(name, bias)
    certificate = run.certificate(u)
    if name.startswith("gradient"):
        numbers = {"norm": sqrt(2.0 * certificate.start)}  # the ledger has half the squared distance
        w = np.append(u[0], -u[1]) if bias else u
        assert certificate.start == pytest.approx(0.5 * float(w @ w))
    else:
        numbers = {"divergence": certificate.start}
    assert certificate.bound == pytest.approx(run.guarantee.at(loss=certificate.against, **numbers).value, rel=1e-9)


@given(st.integers(0, 2**32), st.sampled_from(sorted(MAKERS)))
@settings(max_examples=40, deadline=None)
def test_arbitrary_games_have_certificates(seed, name):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 20))
    X = rng.choice([0.0, 1.0, -1.0, rng.uniform(-1, 1)], size=(rows, N))
    told = ls.from_arrays(X, rng.choice([0.0, 1e-6, 1.0, -30.0], size=rows) * rng.normal(size=rows), task="regression")
    learner = MAKERS[name](False)
    u = rng.dirichlet(np.ones(N))
    certificate = ls.play(learner, told).certificate(u)
    assert ls.verify(certificate, told) is certificate


@pytest.mark.parametrize("name", MAKERS)
def test_every_number_of_a_forged_certificate_is_noticed(name):
    told = stream(3, rows=8)
    certificate = ls.play(MAKERS[name](False), told).certificate(comparator(name, False))
    tree = json.loads(certificate.to_json())
    found = leaves(tree)
    assert len(found) > 8 * 5
    for path in found:
        forged = altered(tree, path, lambda value: value * 1.001 + (1 if isinstance(value, int) else 1e-6))
        with pytest.raises((InvalidCertificate, InvalidParameter)):
            ls.verify(ls.LossCertificate.from_json(json.dumps(forged)).sealed(), told)
    for i, entry in enumerate(certificate.entries):
        for what in ("loss", "against", "before", "fall", "required", "digest"):
            value = "0" * 16 if what == "digest" else getattr(entry, what) + 1e-6
            entries = [*certificate.entries[:i], entry._replace(**{what: value}), *certificate.entries[i + 1 :]]
            with pytest.raises(InvalidCertificate, match=f"trial {i}: "):
                ls.verify(replace(certificate, entries=tuple(entries)).sealed(), told)
    for change in (
        {"bound": certificate.bound - 1.0}, {"start": certificate.start + 1e-6}, {"theorem": "Fermat"}, {"loss": 0.0},
        {"against": certificate.against / 2.0}, {"stream": "0" * 64}, {"learner": "somebody"}, {"terms": {"c": 1.0}},
        {"attributes": (0, 99), "weights": (0.5, 0.5)}, {"rules": replace(certificate.rules, bias=True)},
        {"rules": replace(certificate.rules, n=4)},
    ):  # fmt: skip
        with pytest.raises(InvalidCertificate):
            ls.verify(replace(certificate, **change).sealed(), told)
    for change in (
        {"entries": certificate.entries[:-1]}, {"entries": None}, {"trials": 7}, {"trials": True}, {"weights": None},
        {"rules": None}, {"bound": None}, {"bound": float("nan")}, {"terms": None}, {"stream": None}, {"trials": 0},
    ):  # fmt: skip
        with pytest.raises(InvalidCertificate):
            ls.verify(replace(certificate, **change), told)
    with pytest.raises(InvalidCertificate, match="digest"):
        ls.verify(replace(certificate, digest="0" * 64), told)


def test_another_stream_is_refused_with_the_trial():
    told, certificate = stream(1), ls.play(ls.GradientDescent(X=3.0), stream(1)).certificate(np.zeros(N))
    y = told.block.outcomes.copy()
    y[17] += 0.5
    with pytest.raises(InvalidCertificate, match="trial 17: the stream"):
        ls.verify(certificate, ls.streams.ArrayStream(told.block.numbered(y)))
    more = (*certificate.entries, certificate.entries[-1])
    with pytest.raises(InvalidCertificate, match="trial 40: expected 41 trials"):
        ls.verify(replace(certificate, trials=41, entries=more).sealed(), told)
    with pytest.raises(InvalidCertificate, match="Stream"):
        ls.verify(certificate, None)


@pytest.mark.parametrize("change", [
    {"eta": 0.2}, {"c": 0.5}, {"X": -1.0}, {"U": 2.0}, {"start": 0.5}, {"algorithm": "vaw"}, {"n": 0}, {"n": 10**12},
    {"bias": 1}, {"eta": float("nan")}, {"c": None},
])  # fmt: skip
def test_rules_that_no_regressor_has_are_refused(change):
    certificate = ls.play(ls.GradientDescent(X=3.0), stream(1)).certificate(np.zeros(N))
    with pytest.raises(InvalidCertificate):
        replace(certificate.rules, **change)


def refusals():
    learned = ls.GradientDescent(X=3.0)
    learned.learn([[1.0]], [1.0])
    u = np.full(N, 0.2)
    yield "square loss, and it paid the loss absolute", ls.GradientDescent(X=3.0, loss_function="absolute"), u
    yield "there is no ledger of its losses", ls.PNormRegression(X=3.0), u
    yield "it had learned before", learned, u
    yield "give X=", ls.GradientDescent(eta=0.01), u
    yield "the theorem is about eta < 0.0555556, got 0.06", ls.GradientDescent(X=3.0, eta=0.06), u
    yield "trial .: a row is larger than X = 1.2", ls.GradientDescent(X=1.2), u
    yield "weights that sum to 1, got 0.8", ls.ExponentiatedGradient(X=3.0, bias=False), u * 0.8
    yield "weights that are not negative, got -1", ls.ExponentiatedGradient(X=3.0, bias=False), -5.0 * u
    yield "sizes that sum to U = 1 at most, got 2", ls.EGPlusMinus(X=3.0), 2.0 * u
    yield "weights of at most 1, got 2", ls.BEGRegression(X=3.0), 10.0 * u
    yield "not negative, got -0.2", ls.BEGRegression(X=3.0), -u
    yield "no constant coordinate", ls.GradientDescent(X=3.0, bias=False), ls.Hypothesis(u, 0.5)
    yield "weights of 5 attributes, got 6", ls.GradientDescent(X=3.0), np.ones(6)


@pytest.mark.parametrize(("why", "learner", "u"), list(refusals()))
def test_what_has_no_proof_is_refused_with_the_reason(why, learner, u):
    with pytest.raises(InvalidParameter, match=why):
        ls.play(learner, stream(2)).certificate(u)


def test_games_that_cannot_be_played_again_or_had_weights_are_refused():
    told = stream(2)
    with pytest.raises(InvalidParameter, match="nothing to certify"):
        ls.play(ls.GradientDescent(X=3.0), told, trials=0).certificate([0.5])
    weighted = ls.streams.ArrayStream(replace(told.block, weights=np.full(len(told.block), 2.0)))
    with pytest.raises(InvalidParameter, match="the example has a weight"):
        ls.play(ls.GradientDescent(X=3.0), weighted).certificate([0.5])


def test_a_certificate_of_losses_is_not_one_of_mistakes():
    certificate = ls.play(ls.GradientDescent(X=3.0), stream(1)).certificate(np.zeros(N))
    with pytest.raises(InvalidCertificate, match="expected the fields"):
        ls.Certificate.from_json(certificate.to_json())
    for text in ("{", "[]", certificate.to_json().replace('"trials"', '"trial"')):
        with pytest.raises(InvalidCertificate):
            ls.LossCertificate.from_json(text)
