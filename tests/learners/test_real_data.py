"""Exact mistakes on real data: one pass, file order (near-ties of Winnow decided in rationals)."""

import numpy as np
import pytest

import littlestone as ls

# Perceptron(), Winnow(alpha=2, theta=n), Winnow(alpha=1.5, theta=n/2); None: not Boolean
EXACT = {
    "a9a": (6751, 7377, 6961),
    "a9a_test": (3437, 3623, 3517),
    "badges": (39, 64, 71),
    "basehock": (178, 398, 427),
    "conll2000np_test": (1838, 2598, 2758),
    "conll2000np_train": (6935, 9294, 9610),
    "kr-vs-kp": (429, 603, 448),
    "monks1_test": (17, 19, 16),
    "monks1_train": (43, 45, 47),
    "monks2_test": (179, 162, 172),
    "monks2_train": (85, 82, 92),
    "monks3_test": (31, 44, 41),
    "monks3_train": (34, 45, 38),
    "movie_reviews": (531, 824, 861),
    "mushroom_test": (43, 50, 58),
    "mushroom_train": (55, 61, 61),
    "pcmac": (324, 547, 560),
    "ppattach_dev": (1027, 1167, 1178),
    "ppattach_test": (786, 870, 890),
    "ppattach_train": (4786, 5969, 5996),
    "rcv1_small": (274, None, None),
    "relathe": (281, 538, 594),
    "sentence_polarity": (3804, 4695, 4800),
    "sms_spam": (205, 367, 381),
    "spambase_bool": (520, 770, 761),
    "spell_among_between": (262, 346, 352),
    "spell_i_me": (201, 439, 529),
    "spell_its_its": (108, 153, 175),
    "spell_less_fewer": (48, 86, 95),
    "spell_peace_piece": (54, 92, 107),
    "spell_raise_rise": (40, 51, 50),
    "spell_than_then": (197, 313, 357),
    "spell_their_there": (169, 257, 271),
    "splice": (396, 539, 411),
    "tic-tac-toe": (249, 317, 315),
    "vote": (45, 34, 34),
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_mistakes(name, real_set):
    X, y = real_set(name)
    stream = ls.from_arrays(X, y)
    n = int(X.indices.max()) + 1
    learners = [ls.Perceptron(), ls.Winnow(alpha=2, theta=n), ls.Winnow(alpha=1.5, theta=n / 2)]
    expected = [count for count in EXACT[name] if count is not None]
    assert (stream.block.values is None) == (len(expected) == 3)
    runs = ls.play_all(learners[: len(expected)], stream)
    assert [run.mistakes for run in runs] == expected
    assert np.isfinite(learners[0].hypothesis().w).all()
