"""Weighted Majority over experts that are functions; exact where beta is a fraction."""


def play(experts, rows, outcomes, beta):
    """Return the probability of a mistake by weight, trial by trial, and the errors of each expert."""
    weights, errors, wrong = [1] * len(experts), [0] * len(experts), []
    for row, y in zip(rows, outcomes, strict=True):
        votes = [expert(row) for expert in experts]
        wrong.append(sum(w for w, vote in zip(weights, votes, strict=True) if vote != y) / sum(weights))
        for i, vote in enumerate(votes):
            if vote != y:
                weights[i] *= beta
                errors[i] += 1
    return wrong, errors
