"""littlestone: on-line learning of linear threshold functions, with guarantees."""

from littlestone._lazy import importer

__version__ = "0.1.0"

# Where each public name lives. Nothing is imported before it is asked for.
_PLACES = {
    "littlestone.block": ("Block",),
    "littlestone.bounds": ("Bound",),
    "littlestone.certificates": ("Certificate", "verify"),
    "littlestone.checks": ("check_learner",),
    "littlestone.errors": (
        "InvalidCertificate",
        "InvalidData",
        "InvalidLabel",
        "InvalidParameter",
        "LittlestoneError",
        "TooLarge",
        "UnknownSize",
    ),
    "littlestone.game": ("play", "play_all"),
    "littlestone.learners": (
        "BalancedWinnow",
        "BayesBEG",
        "DirectBayes",
        "Elimination",
        "Ellipsoid",
        "Hypothesis",
        "Learner",
        "NaiveBayes",
        "NormalizedWinnow",
        "PNorm",
        "Perceptron",
        "QuasiAdditive",
        "SASB",
        "SBSB",
        "ThresholdedBEG",
        "VolumetricCenter",
        "WeightedMajority",
        "Winnow",
    ),
    "littlestone.links": ("Link", "from_potential", "link"),
    "littlestone.run": ("Run",),
    "littlestone.streams": ("Stream", "from_arrays"),
    "littlestone.teachers": ("Teacher",),
    "littlestone.vocabulary": ("Vocabulary",),
    "littlestone._worst_case": ("worst_case",),
}
_MODULES = ("bayes", "bounds", "diagnostics", "errors", "hindsight", "learners", "links", "streams", "teachers")
_HOME = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "SASB",
    "SBSB",
    "BalancedWinnow",
    "BayesBEG",
    "Block",
    "Bound",
    "Certificate",
    "DirectBayes",
    "Elimination",
    "Ellipsoid",
    "Hypothesis",
    "InvalidCertificate",
    "InvalidData",
    "InvalidLabel",
    "InvalidParameter",
    "Learner",
    "Link",
    "LittlestoneError",
    "NaiveBayes",
    "NormalizedWinnow",
    "PNorm",
    "Perceptron",
    "QuasiAdditive",
    "Run",
    "Stream",
    "Teacher",
    "ThresholdedBEG",
    "TooLarge",
    "UnknownSize",
    "Vocabulary",
    "VolumetricCenter",
    "WeightedMajority",
    "Winnow",
    "bayes",
    "bounds",
    "check_learner",
    "diagnostics",
    "errors",
    "from_arrays",
    "from_potential",
    "hindsight",
    "learners",
    "link",
    "links",
    "play",
    "play_all",
    "streams",
    "teachers",
    "verify",
    "worst_case",
]


__getattr__ = importer("littlestone", {**_HOME, **dict.fromkeys(_MODULES, "")})


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
