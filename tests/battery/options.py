"""What the random battery draws its players from: every learner, every option, as Python source."""

from littlestone.core.errors import InvalidParameter
from littlestone.learners import LEARNERS

# Values of an option, as source without spaces; those after the bar are extremes, for some games only. {n}: how many
# attributes the game has.
FAMILY = {
    "averaged": "True False",
    "margin": "0.25 1 2 | 1e-100 1e100",
    "negations": "True False",
    "dtype": "'float32' 'float64' np.float32",
}
BIAS = {"bias": "True False"}
SEEDED = {"randomized": "True", "seed": "0 7 | 2**62"}
THETA = {"theta": "0 1 -0.5 0.3 | 1e100 -1e100 1e-100"}
POSITIVE_THETA = {"theta": "None 1 2 4.5 Fraction(7,3) | 1e-100 1e100"}
GAUSSIAN = {**BIAS, "covariance": "'diagonal' 'full' 'full'"}
DIRECT = {
    "max_size": "None 0 1 2",
    "policy": "'mistakes' 'always'",
    "tie": "0 1",
    "cap": "1000000 100 | 1 3",
    "backend": "None 'table' 'map'",
}
CLASSES = {"class_weights": "None 'balanced' WEIGHTS", "calibrated": "True False"}
OPTIONS: dict[str, dict[str, str]] = {
    "Perceptron": {
        "eta": "1.0 0.1 2 0.5 | 1e-100 1e100",
        **THETA,
        **BIAS,
        "w1": "0.5 -1 [0.5]*{n} (0.0,)*{n} | 1e100",
        **FAMILY,
    },
    "Winnow": {
        "alpha": "1.5 1.1 1.35 Fraction(3,2) | 1.0001 1e100 1.0000000001",
        "demotion": "None 0 0.5 0.8 | 1e-100 0.9999",
        **POSITIVE_THETA,
        "w1": "0.2 2 Fraction(1,3) | 1e-100 1e100",
        **BIAS,
        "tie": "0 1",
        **SEEDED,
        **FAMILY,
    },
    "BalancedWinnow": {
        "alpha": "2 1.1 1.01 Fraction(5,4) | 1.0001 1e100",
        **THETA,
        **BIAS,
        "w1": "0.2 2 | 1e-100 1e100",
        **FAMILY,
    },
    "NormalizedWinnow": {
        "eta": "0.4 1 | 1e-100 1e100",
        "beta1": "2.0 1.5 | 1e100",
        "beta0": "0.5 0.0 | 1e-100",
        "theta": "0 0.1 0.5 -0.2 | 1e100",
        **BIAS,
        **FAMILY,
    },
    "ThresholdedBEG": {
        "beta1": "1.5 2.718281828459045 | 1e100 1.0001",
        "beta0": "0.5 0 0.2 | 1e-100",
        "theta": "None 0.3 1 | 1e-100 1e100",
        "w1": "None 0.5 0.01 | 1e-100",
        **BIAS,
        **SEEDED,
        **FAMILY,
    },
    "BayesBEG": {
        "beta1": "None 2 1.5 | 1e100",
        "beta0": "None 0.5 0 | 1e-100",
        "gamma": "None 0.75 0.9 | 0.5000001 0.9999999",
        "w1": "None 0.5 0.01 | 1e-100",
        "policy": "'mistakes' 'always'",
        "theta": "None 1 3 | 1e-100 1e100",
        **BIAS,
        **FAMILY,
    },
    "Elimination": {**BIAS, **FAMILY},
    "PNorm": {"p": "None 2 3 4.5 | 100 1e100", "eta": "0.1 2 | 1e-100 1e100", **THETA, **BIAS, **FAMILY},
    "QuasiAdditive": {
        "link": "ls.links.identity() ls.links.power(1.5) ls.links.two_sinh(1.3) ls.links.exponential() "
        "ls.links.sigmoid() ls.links.bayes(2.0,0.5,0.75) ls.links.p_norm(3) ARCTAN | ls.links.p_norm(100)",
        "eta": "0.1 2 | 1e-100 1e100",
        **THETA,
        **BIAS,
        "start": "0.0 1.0 -0.5 | 1e100",
        **FAMILY,
    },
    "DirectBayes": {"noise": "0.1 0.3 Fraction(1,3) | 1e-100 0.4999999", **DIRECT},
    "WeightedMajority": {"beta": "0.5 0.3 Fraction(1,3) | 1e-100 0.9999999", **DIRECT, **SEEDED},
    "NaiveBayes": {"policy": "'mistakes' 'always'"},
    "SBSB": {},
    "SASB": {},
    "Ellipsoid": {**BIAS, "theta": "0.0 0.2 -1 | 1e-100 1e100", "deep": "True False"},
    "VolumetricCenter": {**BIAS, "drop": "0.02 0 0.3", "shallow": "None 4.0 0.5 | 1e-100 1e100"},
    "KernelPerceptron": {
        "kernel": "'monotone' 'conjunctions' 'conjunctions:2' 'monotone:2' 'linear' 'polynomial' 'polynomial:3' "
        "'gaussian' 'gaussian:0.5' ls.kernels.Conjunctions(include_empty=False) MINIMA",
        "theta": "0 3 -1 Fraction(1,2) | 10**30 1e-100 1e100",
        "eta": "1 0.3 2 | 1e-100 1e100",
        "budget": "None 1 2 7",
        "forget": "'oldest' 'random' 'forgetron'",
        "seed": "0 7 | 2**62",
    },
    "KernelWinnow": {
        "alpha": "2 1.5 3 Fraction(4,3) | 1.0001 1e100",
        "theta": "None 1 4 0.5 | 1e-100 1e100",
        "monotone": "True False",
        "max_size": "None 1 2 3",
        "method": "'exact' 'exact' 'gibbs'",
        "cap": "200000 50 | 1 5",
        "backend": "None 'map' 'local'",
        "sweeps": "20 40",
        "seed": "0 7 | 2**62",
    },
    "GrowingWinnow": {
        "alpha": "2 1.5 | 1.00001 1e100",
        "theta": "None 1 4 | 1e-100 1e100",
        "budget": "1000 1 2 3",
        "max_size": "2 3 8 64",
        "candidates": "2 4 64",
        "memory": "64 128 512",
        "negations": "True False",
    },
    "BoxWinnow": {
        "sides": "2 5 50 1024 (4,)*{n} | 1 2**31",
        "alpha": "2 1.5 3 | 1.0001 1e100",
        "theta": "None 1 9 | 1e-100 1e100",
        "cap": "2000 200 | 1",
        "backend": "'local' 'map'",
    },
    "DirectedDrift": {
        "mode": "'single' 'asynchronous' 'synchronous'",
        "batch": "None 1 2 3 5",
        "seed": "0 5 | 2**64-1",
        "delta": "0.5 0.01 | 1e-100",
        "patience": "1 3 1000 | 2**62",
    },
    "Bounded": {"learner": "None INNER INNER INNER", "max_attributes": "None 1 2 3 4 100", "eligible": "1 2 3"},
    "WinnerTakesAll": {
        "learner": "None 'perceptron' 'winnow:alpha=1.5:theta=4' INNER INNER",
        "policy": "'each' 'top' 'uniform' 'proportional'",
        "linked": "True False",
        "averaged": "None True False",
        **CLASSES,
    },
    "MulticlassPerceptron": {
        "policy": "'top' 'uniform' 'proportional'",
        **BIAS,
        "averaged": "True False",
        "margin": "0.0 0.5 | 1e100",
        **CLASSES,
    },
    "SecondOrderPerceptron": {"a": "1.0 0.1 10 | 1e-100 1e100", **GAUSSIAN},
    "ConfidenceWeighted": {"eta": "0.7 0.9 0.51 | 0.9999999 0.5000001", "variant": "'stdev' 'variance'", **GAUSSIAN},
    "AROW": {"r": "1.0 0.3 10 | 1e-100 1e100", **GAUSSIAN},
    "OwnRule": {"rule": "None NARROWING", **GAUSSIAN},
    "NAROW": {"b": "1.0 0.3 10 | 1e-100 1e100", **GAUSSIAN},
    "NHERD": {"C": "0.1 1 10 | 1e-100 1e100", **GAUSSIAN},
    "SCW": {
        "C": "1.0 0.1 | 1e-100 1e100",
        "eta": "0.9 0.6 | 0.9999999 0.5000001",
        "variant": "'I' 'II'",
        **GAUSSIAN,
    },
    "Adagrad": {
        "eta": "0.3 1 | 1e-100 1e100",
        "delta": "0.0 0.1 | 1e-100 1e100",
        "loss": "'hinge' 'logistic'",
        **BIAS,
    },
    "PassiveAggressive": {"variant": "'PA' 'PA-I' 'PA-II'", "C": "1.0 0.1 | 1e-100 1e100", **BIAS},
    "ALMA": {
        "p": "None 2 3 10 | 100",
        "alpha": "0.9 0.5 1 | 1e-100",
        "B": "None 1 | 1e-100 1e100",
        "C": "1 0.5 | 1e-100 1e100",
        **BIAS,
    },
    "ROMMA": {"aggressive": "True False", **BIAS},
    "OGD": {"loss": "'hinge' 'logistic'", "eta": "1.0 0.1 | 1e-100 1e100", "radius": "None 0.7 | 1e-100 1e100", **BIAS},
    "VotedPerceptron": BIAS,
    "ModifiedBalancedWinnow": {
        "alpha": "1.5 2 | 1.0001 1e100",
        "beta": "0.5 0.9 | 1e-100 0.9999999",
        **THETA,
        "margin": "1.0 0 0.3 | 1e-100 1e100",
        **BIAS,
    },
    "ShiftingWinnow": {
        "alpha": "2.0 1.5 | 1.0001 1e100",
        "demotion": "None 0.4 0.9 | 1e-100",
        "theta": "None 1 3.0 | 1e-100 1e100",
        "w1": "1.0 0.2 | 1e-100 1e100",
        "floor": "None 0.1 0.01 | 1e-100",
    },
    "Auto": {},
}
THEORY = {  # constructors from theory
    "Winnow": ["ls.Winnow.preset('snow')", "ls.Winnow.for_disjunctions(n={n},k=1)"],
    "NormalizedWinnow": ["ls.NormalizedWinnow.for_margin({n},0.1)", "ls.NormalizedWinnow.for_disjunctions({n},1)"],
    "ThresholdedBEG": ["ls.ThresholdedBEG.noise_free({n})", "ls.ThresholdedBEG.for_disjunctions({n},1)"],
    "BayesBEG": ["ls.BayesBEG.theorem3({n})", "ls.BayesBEG.theorem4({n},policy='always')"],
    "ShiftingWinnow": ["ls.ShiftingWinnow.for_shifts({n},1,2)"],
}
ALONE = ("Perceptron", "Winnow", "BalancedWinnow", "Elimination", "ThresholdedBEG", "BayesBEG", "QuasiAdditive")
INNER = {
    "Bounded": (*ALONE, "WinnerTakesAll", "MulticlassPerceptron"),
    "WinnerTakesAll": ("Perceptron", "Winnow", "BalancedWinnow", "ThresholdedBEG"),
}
EXPERTS = {"beta": "0.5 0.9 0 | 1e-100", **SEEDED}
NAMES = {command: kind.__name__ for command, kind in LEARNERS.items()}
COMPOSITES = ("experts", "calibrated", "delayed", "restarting", "forgetting")
FOLLOWED = {"restarting": {"delta": "0.01 0.9 | 1e-100 0.9999999"}, "forgetting": {"window": "1 2 3 10 | 2**62"}}
KINDS = (*NAMES, *COMPOSITES)
MANY = ("WinnerTakesAll", "MulticlassPerceptron", "Auto")  # of many classes


def learner_source(chance, name, n, extreme, leave=()):
    """Return the source of a learner with some of its options; ``leave``: options that must not be set."""
    if name in THEORY and not leave and chance.random() < 0.1:
        return chance.choice(THEORY[name]).format(n=n)
    told = []
    for option, values in OPTIONS[name].items():
        if option in leave or chance.random() < 0.6:
            continue
        value = _value(chance, values, n, extreme)
        if value == "INNER":
            value = learner_source(chance, chance.choice(INNER[name]), n, extreme, ("negations", "randomized"))
        told.append(f"{option}={value}")
    return f"ls.learners.{name}({', '.join(told)})"


def source(chance, kind, n, extreme):
    """Return the source of a player of a kind: a learner, or what is made of learners."""
    if kind in NAMES:
        return learner_source(chance, NAMES[kind], n, extreme)
    two = [name for name in OPTIONS if name not in MANY]
    if kind == "experts":
        pool = [learner_source(chance, chance.choice(two), n, extreme) for _ in range(chance.randint(1, 3))]
        told = [f", {o}={_value(chance, v, n, extreme)}" for o, v in EXPERTS.items() if chance.random() < 0.4]
        return f"ls.learners.Experts([{', '.join(pool)}]{''.join(told)})"
    names = two if kind == "calibrated" else list(OPTIONS)
    told = [
        f", {o}={_value(chance, v, n, extreme)}" for o, v in FOLLOWED.get(kind, {}).items() if chance.random() < 0.7
    ]
    return f"ls.{kind.title()}({learner_source(chance, chance.choice(names), n, extreme)}{''.join(told)})"


def _value(chance, values, n, extreme):
    usual, _, rare = values.partition(" | ")
    words = usual.split() + (rare.split() * 2 if extreme else [])
    return chance.choice(words).format(n=n)


def made(chance, kind, n, extreme, scope):
    """Return the source of a player whose options go together, and the player."""
    while True:
        text = source(chance, kind, n, extreme)
        try:
            return text, eval(text, scope)
        except InvalidParameter:
            continue
