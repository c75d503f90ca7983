"""Many classes on real data: the exact mistakes, fewer than those of peers."""

import pytest

import littlestone as ls
from littlestone.learners import MulticlassPerceptron, WinnerTakesAll
from tests.learners.test_classes import SETTINGS
from tests.naive import winner_takes_all as slow

# Mistakes on the first 3000 rows and on all, of the default winner-takes-all and the averaged multiclass Perceptron, as
# the slow twins count them; and the least error in % of scikit-learn's three learners on the first 3000 rows
EXACT = {
    "qc_train": ((833, 1296), (887, 1383), 31.5),
    "20newsgroups_train": ((903, 1920), (1218, 2932), 39.7),
}
TWINS = (
    SETTINGS["default"][1],
    {"bias": True, "policy": "uniform", "linked": False, "averaged": True},
)


def real_mistakes(said, y):
    wrong = [a != b for a, b in zip(said, y, strict=True)]
    return sum(wrong[:3000]), sum(wrong)


@pytest.mark.parametrize("name", EXACT)
def test_real_data_with_exact_mistakes_and_fewer_than_peers(name, real_set):
    X, y = real_set(name)
    *expected, peer = EXACT[name]
    learners = [WinnerTakesAll(), MulticlassPerceptron(averaged=True)]
    ls.play_all(learners, ls.from_arrays(X, y))
    again = [type(learner)(**learner.params()) for learner in learners]
    counts = [real_mistakes(learner.learn(X, y).tolist(), y.tolist()) for learner in again]
    assert counts == expected
    assert [learner.mistakes for learner in learners] == [count for _, count in counts]
    assert 100 * counts[0][0] / 3000 < peer


@pytest.mark.slow
@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("which", [0, 1])
def test_real_data_by_the_twins(name, which, real_set):
    X, y = real_set(name)
    if name != "qc_train":  # of the other all 11,293 rows take minutes
        X, y = X[:3000], y[:3000]
    twin = slow.WinnerTakesAll(**TWINS[which])
    rows = (dict.fromkeys(X.indices[a:b].tolist(), 1.0) for a, b in zip(X.indptr, X.indptr[1:], strict=False))
    first, whole = real_mistakes([twin.learn(row, label) for row, label in zip(rows, y, strict=True)], y)
    assert first == EXACT[name][which][0]
    assert len(y) == 3000 or whole == EXACT[name][which][1]
