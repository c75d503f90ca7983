"""Forged certificates: whatever is altered is refused, also with the digest made anew."""

import json
from dataclasses import replace

import numpy as np
import pytest

import littlestone as ls
from littlestone.core.errors import InvalidCertificate, InvalidParameter
from littlestone.games.certificates.certify import rules_of
from littlestone.games.certificates.ledger import ledger
from littlestone.games.certificates.replay import Game
from tests.games.test_certificates import MAKERS, NOISE_FREE, K, N, stream


def leaves(tree, path=()):
    """All numbers of a JSON tree, by where they are."""
    if isinstance(tree, dict):
        return [leaf for key, value in tree.items() for leaf in leaves(value, (*path, key))]
    if isinstance(tree, list):
        return [leaf for i, value in enumerate(tree) for leaf in leaves(value, (*path, i))]
    return [path] if isinstance(tree, int | float) and not isinstance(tree, bool) else []


def altered(tree, path, change):
    copy = json.loads(json.dumps(tree))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = change(inner[path[-1]])
    return copy


def check_altered(tree, told, rng):
    found = leaves(tree)
    for at in rng.choice(len(found), 3):
        forged = altered(tree, found[at], lambda value: value * 1.001 + 1)
        with pytest.raises((InvalidCertificate, InvalidParameter)):
            ls.verify(ls.Certificate.from_json(json.dumps(forged)), told)


@pytest.mark.parametrize("name", [*MAKERS, *NOISE_FREE])
def test_a_forged_ledger_is_caught_even_with_its_digest_made_anew(name):
    told = stream(3, rows=120)
    certificate = ls.play((MAKERS | NOISE_FREE)[name](), told).certificate(set(range(K)))
    assert certificate.mistakes > 3
    for i in range(certificate.mistakes):
        for what in ("trial", "outcome", "before", "fall", "required", "digest"):
            entry = certificate.entries[i]
            value = (
                "0" * 16 if what == "digest" else getattr(entry, what) + (1 if what in ("trial", "outcome") else 1e-6)
            )
            forged = list(certificate.entries)
            forged[i] = entry._replace(**{what: value})
            with pytest.raises(InvalidCertificate, match="trial"):
                ls.verify(replace(certificate, entries=tuple(forged)).sealed(), told)
        left_out = certificate.entries[:i] + certificate.entries[i + 1 :]
        with pytest.raises(InvalidCertificate, match="trial"):
            ls.verify(replace(certificate, entries=left_out).sealed(), told)
    for forged in (
        replace(certificate, bound=certificate.bound - 1),
        replace(certificate, start=certificate.start + 1e-6),
        replace(certificate, rules=replace(certificate.rules, theta=certificate.rules.theta + 1e-3)),
        replace(certificate, terms={**certificate.terms, next(iter(certificate.terms)): 7.5}),
        replace(certificate, theorem="Fermat"),
        replace(certificate, trials=certificate.trials + 1),
        replace(certificate, labels=(1, 0)),
    ):
        with pytest.raises(InvalidCertificate):
            ls.verify(forged.sealed(), told)


@pytest.mark.parametrize("name", ["perceptron", "winnow", "beg", "bayes"])
def test_another_stream_is_refused_with_the_trial(name):
    told = stream(5, rows=200)
    certificate = ls.play(MAKERS[name](), told).certificate({0, 1})
    X = told.block.indices.copy()
    row = 40
    X[told.block.indptr[row]] = 11 if X[told.block.indptr[row]] != 11 else 10
    other = ls.from_arrays(np.array([[i in set(X[a:b].tolist()) for i in range(N)]
                                     for a, b in zip(told.block.indptr[:-1], told.block.indptr[1:], strict=True)]),
                           told.block.outcomes)  # fmt: skip
    with pytest.raises(InvalidCertificate, match=r"trial \d+") as caught:
        ls.verify(certificate, other)
    assert int(str(caught.value).split()[1].rstrip(":")) >= row
    with pytest.raises(InvalidCertificate, match="trial 100: expected 200 trials"):
        ls.verify(certificate, ls.from_arrays(np.zeros((100, N), dtype=bool), np.zeros(100), labels=(0, 1)))


def test_no_forged_weights_of_a_disjunction_are_accepted():
    told = stream(3, noise=0.3, rows=400)
    honest = ls.play(ls.Winnow(), told).certificate({0, 1})
    for weight in (-1.0, -2.0, -0.5, 0.1, 2.0):
        forged = replace(honest, weights=(weight, weight)).sealed()
        with pytest.raises(InvalidCertificate):
            ls.verify(forged, told)
    for change in (
        {"weights": (1.0,)}, {"weights": (1, 1)}, {"attributes": (1, 0)},
        {"attributes": (0, 1, 5), "weights": (1.0, 1.0, 0.0)},
        {"labels": (0, "zz")}, {"labels": (0, 1, 2)}, {"labels": (0,)}, {"labels": None}, {"kind": "banana"},
        {"kind": None}, {"terms": None}, {"start": None}, {"bound": None}, {"bound": float("nan")}, {"bound": 10**400},
        {"counts": None}, {"entries": None}, {"attributes": None}, {"trials": True}, {"learner": 7}, {"stream": None},
    ):  # fmt: skip
        with pytest.raises(InvalidCertificate):
            ls.verify(replace(honest, **change), told)
    with pytest.raises(InvalidCertificate, match="Stream"):
        ls.verify(honest, None)


@pytest.mark.parametrize(
    "change",
    [
        {"p": 1.5}, {"p": 3.0}, {"gamma": 0.7}, {"bias": 1}, {"negations": None}, {"tie": True}, {"n": 10**12},
        {"n": 0}, {"start": 1.0}, {"promotion": 0.0}, {"theta": float("inf")}, {"algorithm": "gradient"},
        {"demotion": 2.0},
    ],
)  # fmt: skip
def test_rules_that_no_perceptron_has_are_refused(change):
    certificate = ls.play(ls.Perceptron(), stream(3)).certificate({0, 1})
    with pytest.raises(InvalidCertificate):
        replace(certificate.rules, **change)


def test_small_steps_are_held_to_the_same_standard():
    """A tolerance that does not shrink with the step would let a smaller curvature pass."""
    told = ls.from_arrays(np.eye(50, dtype=bool), np.zeros(50, dtype=int), labels=(0, 1))
    certificate = ls.play(ls.Perceptron(bias=False, eta=1e-6), told).certificate(-np.ones(50), gamma=1.0)
    assert certificate.mistakes == 50 <= certificate.bound
    less = replace(
        certificate, bound=certificate.bound / 2, terms={**certificate.terms, "gain": 2 * certificate.terms["gain"]}
    )
    with pytest.raises(InvalidCertificate):
        ls.verify(less.sealed(), told)


@pytest.mark.parametrize(
    "learner", [ls.PNorm(p=3, bias=False), ls.QuasiAdditive(link=ls.links.two_sinh(1.3), bias=False)]
)
def test_a_tie_at_zero_is_no_excuse(learner):
    told = ls.from_arrays(np.eye(20, dtype=bool), np.zeros(20, dtype=int), labels=(0, 1))
    certificate = ls.play(learner, told).certificate(-np.ones(20), gamma=1.0)
    assert certificate.mistakes == 20
    with pytest.raises(InvalidCertificate):
        ls.verify(replace(certificate, entries=()).sealed(), told)


@pytest.mark.parametrize("eta", [0.1, 1 / 3, 0.7])
def test_steps_that_floats_round_are_followed_to_the_last_digit(eta):
    """Ties that rounding decides are decided as the learner did: nothing can be left out."""
    told = stream(6, noise=0.2, rows=600)
    certificate = ls.play(ls.Perceptron(eta=eta), told).certificate({0, 1})
    ls.verify(certificate, told)
    for i in range(0, certificate.mistakes, 7):
        with pytest.raises(InvalidCertificate):
            ls.verify(
                replace(certificate, entries=certificate.entries[:i] + certificate.entries[i + 1 :]).sealed(), told
            )


def test_json_is_read_strictly():
    text = ls.play(ls.Winnow(), stream(0)).certificate({0, 1}).to_json()
    assert ls.Certificate.from_json(text)
    for old, new in (
        ('"bound":', '"bound": 3, "bound":'), ('"counts": {', '"counts": {"00": [1, 1], '), ('"kind"', '"kinds"'),
        ('"tie": 1', '"tie": true'), ('"bias": false', '"bias": 0'), ('"p": 2.0,', ""), ('"n": 12', '"n": 12.0'),
        ('"mistakes":', '"mistakes": 1, "mistakes":'), ('"weights": [', '"weights": [null, '),
    ):  # fmt: skip
        assert old in text, old
        with pytest.raises(InvalidCertificate):
            ls.Certificate.from_json(text.replace(old, new, 1))
    with pytest.raises(InvalidCertificate):
        ls.Certificate.from_json("[" * 200_000)
    with pytest.raises(InvalidCertificate):
        ls.Certificate.from_json(None)


@pytest.mark.parametrize("name", [*MAKERS, *NOISE_FREE])
def test_one_altered_number_is_caught(name):
    """Three in each of a thousand certificates."""
    for seed in range(56):
        told = stream(seed, 0.15 if seed % 2 and name in MAKERS else 0.0)
        certificate = ls.play((MAKERS | NOISE_FREE)[name](), told).certificate(set(range(K)))
        check_altered(json.loads(certificate.to_json()), told, np.random.default_rng(seed))


# Ten thousand alterations


def forgeries(certificate, rng):
    """Yield altered certificates, sealed anew: any field, fields that go together, trials left out, added or moved."""
    entries, rules = certificate.entries, certificate.rules
    at = int(rng.integers(len(entries)))
    other = int(rng.integers(certificate.trials))
    free = sorted(set(range(certificate.trials)) - {entry.trial for entry in entries})
    yield replace(certificate, entries=entries[:at] + entries[at + 1 :])
    yield replace(certificate, entries=())
    yield replace(certificate, entries=entries[:at])
    yield replace(certificate, entries=entries[:at], trials=entries[at].trial)  # a game that ends before it
    yield replace(certificate, entries=entries[:at], trials=entries[at].trial + 1)
    if free:
        added = entries[at]._replace(trial=free[other % len(free)])
        yield replace(certificate, entries=tuple(sorted((*entries, added))))
        yield replace(certificate, entries=tuple(sorted((*entries[:at], added, *entries[at + 1 :]))))
    yield replace(
        certificate, entries=(*entries[:at], entries[at]._replace(outcome=1 - entries[at].outcome), *entries[at + 1 :])
    )
    yield replace(certificate, labels=certificate.labels[::-1])
    yield replace(certificate, bound=float(len(entries)) - 1.0)
    yield replace(
        certificate, bound=certificate.bound * 0.99, terms={k: v * 1.01 for k, v in certificate.terms.items()}
    )
    yield replace(certificate, start=certificate.start * 0.9, bound=certificate.bound * 0.9)
    yield replace(certificate, learner=certificate.learner.replace("n=", "m="))
    yield replace(certificate, learner="Winnow(alpha=7)")
    yield replace(certificate, theorem="Kivinen-Warmuth, elimination, sharper")
    yield replace(certificate, kind="weight" if certificate.kind == "divergence" else "divergence")
    outcomes = {entry.outcome for entry in entries}
    alike = {
        "tie",
        "theta",
        *(name for name, outcome in (("promotion", 1), ("demotion", 0)) if outcome not in outcomes),
    }
    for name, number in (("tie", 1 - rules.tie), ("theta", rules.theta + 0.25), ("n", rules.n - 1), ("n", rules.n + 1),
                         ("promotion", rules.promotion * 1.25), ("demotion", rules.demotion * 0.5),
                         ("start", rules.start * 1.5), ("bias", not rules.bias)):  # fmt: skip
        try:
            changed = replace(rules, **{name: number})
        except InvalidCertificate:
            continue
        if changed != rules:
            yield replace(certificate, rules=changed)
        if changed != rules and name not in alike:  # another learner's certificate, and true if it played alike
            yield replace(certificate, rules=changed, learner=str(changed))
    yield replace(certificate, attributes=tuple(i + 1 for i in certificate.attributes))
    yield replace(certificate, attributes=certificate.attributes[:1], weights=certificate.weights[:1])
    yield replace(certificate, weights=tuple(w * 2.0 for w in certificate.weights))


def refused(forged, told):
    try:
        ls.verify(forged, told)
    except (InvalidCertificate, InvalidParameter):
        return True
    return False


def check_forged(count, seed):
    """Alter true certificates; return how many alterations were tried. None may be accepted."""
    tried, number = 0, seed
    names = [*MAKERS, *NOISE_FREE]
    while tried < count:
        name = names[number % len(names)]
        told = stream(number, 0.15 if name in MAKERS and number % 2 else 0.0, rows=40)
        number += 1
        certificate = ls.play((MAKERS | NOISE_FREE)[name](), told).certificate(set(range(K)))
        if not certificate.entries:
            continue
        for forged in forgeries(certificate, np.random.default_rng(number)):
            tried += 1
            assert refused(forged.sealed(), told), (name, number - 1, forged)
    return tried


def test_no_alteration_is_accepted():
    assert check_forged(900, 0) >= 900


@pytest.mark.slow
def test_none_of_ten_thousand_alterations_is_accepted():
    assert check_forged(10_000, 1000) >= 10_000


TIED = {  # learners that meet theta exactly, again and again
    "beg": (lambda: ls.ThresholdedBEG(w1=1 / 16, theta=9 / 16), lambda: ls.datasets.tic_tac_toe()),
    "winnow on halves": (lambda: ls.Winnow(theta=1), lambda: halves()),
    "p-norm": (lambda: ls.PNorm(p=3, bias=False), lambda: signs()),
    "normalized": (lambda: ls.NormalizedWinnow(beta1=2.0, beta0=0.5, theta=0.25), lambda: halves(8)),
}


def halves(n=4):
    rng = np.random.default_rng(0)
    X = rng.permuted(np.tile([0.5] * 2 + [0.0] * (n - 2), (300, 1)), axis=1)
    return ls.from_arrays(X, rng.integers(0, 2, 300), labels=(0, 1))


def signs():
    rng = np.random.default_rng(1)
    X = rng.choice([-1.0, 0.0, 1.0], (200, 5))
    return ls.from_arrays(X, rng.integers(0, 2, 200), labels=(0, 1))


@pytest.mark.parametrize("name", TIED)
def test_ties_cannot_be_turned(name):
    """Near theta the ledger was taken at its word: 323 mistakes on tic-tac-toe could be certified as none."""
    make, told = TIED[name][0], TIED[name][1]()
    run = ls.play(make(), told)
    rules = rules_of(run.played)
    u = np.zeros(rules.n + int(rules.bias))
    u[:2] = 1.0
    honest = ledger(Game(told, rules, run.played.labels, run.trials, run.mistake_trials), "divergence", u, 1.0, None)
    assert ls.verify(honest.sealed(), told).mistakes == run.mistakes > 20
    for mistakes in (run.mistake_trials[:0], run.mistake_trials[:-1], run.mistake_trials[1:], run.mistake_trials[::2]):
        with pytest.raises(InvalidCertificate, match="trial"):
            ledger(Game(told, rules, run.played.labels, run.trials, mistakes), "divergence", u, 1.0, None)


def test_rules_are_not_wider_than_the_stream():
    """A certificate of two kilobytes asked for gigabytes."""
    told = stream(3)
    certificate = ls.play(ls.Winnow(), told).certificate({0, 1})
    rules = replace(certificate.rules, n=1 << 29)
    with pytest.raises(InvalidCertificate, match="expected at most the 1,048,576 attributes that the stream shows"):
        ls.verify(replace(certificate, rules=rules, learner=str(rules)).sealed(), told)


def test_the_learner_s_name_is_that_of_the_rules():
    told = stream(3)
    certificate = ls.play(ls.Winnow(), told).certificate({0, 1})
    assert certificate.learner == "winnow(n=12, promotion=2.0, demotion=0.5, theta=12.0, start=1.0)"
    with pytest.raises(InvalidCertificate, match="learner"):
        ls.verify(replace(certificate, learner="Winnow(alpha=3)").sealed(), told)
