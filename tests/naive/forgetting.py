"""Each prediction is that of a learner that has begun at the turn before the last, and has learned what came since."""


def predictions(make, rows, outcomes, window):
    """``make(known)`` returns a learner that has learned nothing but knows these labels."""
    said = []
    for t in range(len(rows)):
        start = window * max(0, t // window - 1)
        known = list(dict.fromkeys(outcomes[:start]))
        learner = make(known)
        for x, y in zip(rows[start:t], outcomes[start:t], strict=True):
            learner.learn(x, y)
        said.append(learner.learn(rows[t], outcomes[t]))
    return said
