"""Theorems about mistakes, each a function of numbers that returns a `Bound`. All of them are in `THEOREMS`."""

from littlestone.bounds.agarwal import (
    kernel_perceptron_margin,
    normalized_winnow_margin,
    normalized_winnow_optimal,
    optimal_eta,
    perceptron_hinge,
    perceptron_losses,
    perceptron_margin,
    perceptron_mistake_losses,
)
from littlestone.bounds.auer_warmuth import shifting_winnow
from littlestone.bounds.bound import STATEMENTS, THEOREMS, Bound, OpenBound, Statement
from littlestone.bounds.cesa_bianchi_conconi_gentile import (
    second_order_perceptron,
    second_order_perceptron_disjunction,
    second_order_perceptron_disjunction_diagonal,
)
from littlestone.bounds.crammer import (
    passive_aggressive,
    passive_aggressive_1,
    passive_aggressive_1_disjunction,
    passive_aggressive_2,
    passive_aggressive_2_disjunction,
    passive_aggressive_disjunction,
)
from littlestone.bounds.crammer_kulesza_dredze import arow
from littlestone.bounds.crammer_singer import multiclass_perceptron
from littlestone.bounds.duchi_hazan_singer import adagrad, adagrad_logistic
from littlestone.bounds.fang_venkatesh import (
    directed_drift_exact,
    directed_drift_growth,
    directed_drift_lower,
    directed_drift_upper,
)
from littlestone.bounds.freund_schapire import hedge, hedge_regret, voted_error
from littlestone.bounds.gentile import alma_disjunction, alma_margin, p_norm_disjunction, p_norm_losses, p_norm_margin
from littlestone.bounds.helmbold_panizza_warmuth import (
    bayes_beg_theorem3,
    bayes_beg_theorem3_sharper,
    bayes_beg_theorem4,
    bayes_beg_theorem4_sharper,
    normalized_winnow_disjunction,
    thresholded_beg,
    thresholded_beg_corollary1,
    thresholded_beg_noise_free,
    thresholded_beg_randomized,
    winnow_attribute_errors,
    winnow_randomized,
)
from littlestone.bounds.inverse import Needed, needed
from littlestone.bounds.khardon_roth_servedio import (
    kernel_perceptron_dnf,
    kernel_perceptron_lower,
    kernel_winnow_dnf,
    perceptron_convergence,
    winnow_theorem2,
)
from littlestone.bounds.kivinen_warmuth import (
    additive_lower,
    additive_lower_any_start,
    elimination,
    ellipsoid,
    ellipsoid_simple,
    perceptron_disjunction,
    vc_lower,
    winnow_disjunction,
)
from littlestone.bounds.ledger import Ledger, theorem3_ledger, theorem4_ledger
from littlestone.bounds.li_long import romma, romma_disjunction
from littlestone.bounds.littlestone_warmuth import (
    direct_weighted_majority,
    weighted_majority,
    weighted_majority_randomized,
    weighted_majority_shares,
)
from littlestone.bounds.on_streams import on_stream
from littlestone.bounds.online_to_batch import averaged_risk, longest_survivor, survivor, survivor_trials, voted_risk
from littlestone.bounds.orabona_crammer import narow
from littlestone.bounds.zinkevich import ogd_hinge, ogd_logistic, ogd_regret

__all__ = [
    "STATEMENTS",
    "THEOREMS",
    "Bound",
    "Ledger",
    "Needed",
    "OpenBound",
    "Statement",
    "adagrad",
    "adagrad_logistic",
    "additive_lower",
    "additive_lower_any_start",
    "alma_disjunction",
    "alma_margin",
    "arow",
    "averaged_risk",
    "bayes_beg_theorem3",
    "bayes_beg_theorem3_sharper",
    "bayes_beg_theorem4",
    "bayes_beg_theorem4_sharper",
    "direct_weighted_majority",
    "directed_drift_exact",
    "directed_drift_growth",
    "directed_drift_lower",
    "directed_drift_upper",
    "elimination",
    "ellipsoid",
    "ellipsoid_simple",
    "hedge",
    "hedge_regret",
    "kernel_perceptron_dnf",
    "kernel_perceptron_lower",
    "kernel_perceptron_margin",
    "kernel_winnow_dnf",
    "longest_survivor",
    "multiclass_perceptron",
    "narow",
    "needed",
    "normalized_winnow_disjunction",
    "normalized_winnow_margin",
    "normalized_winnow_optimal",
    "ogd_hinge",
    "ogd_logistic",
    "ogd_regret",
    "on_stream",
    "optimal_eta",
    "p_norm_disjunction",
    "p_norm_losses",
    "p_norm_margin",
    "passive_aggressive",
    "passive_aggressive_1",
    "passive_aggressive_1_disjunction",
    "passive_aggressive_2",
    "passive_aggressive_2_disjunction",
    "passive_aggressive_disjunction",
    "perceptron_convergence",
    "perceptron_disjunction",
    "perceptron_hinge",
    "perceptron_losses",
    "perceptron_margin",
    "perceptron_mistake_losses",
    "romma",
    "romma_disjunction",
    "second_order_perceptron",
    "second_order_perceptron_disjunction",
    "second_order_perceptron_disjunction_diagonal",
    "shifting_winnow",
    "survivor",
    "survivor_trials",
    "theorem3_ledger",
    "theorem4_ledger",
    "thresholded_beg",
    "thresholded_beg_corollary1",
    "thresholded_beg_noise_free",
    "thresholded_beg_randomized",
    "vc_lower",
    "voted_error",
    "voted_risk",
    "weighted_majority",
    "weighted_majority_randomized",
    "weighted_majority_shares",
    "winnow_attribute_errors",
    "winnow_disjunction",
    "winnow_randomized",
    "winnow_theorem2",
]
