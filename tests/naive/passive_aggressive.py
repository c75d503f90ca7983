"""w <- w + tau y x, tau from the hinge loss; in whatever numbers the rows are."""


class PassiveAggressive:
    def __init__(self, n, variant, C):
        self.w, self.variant, self.C = [0] * n, variant, C

    def weights(self):
        return self.w

    def trial(self, row, y):
        """Return the score, and whether there was an update."""
        score = sum(self.w[i] * x for i, x in row.items())
        sign = 1 if y else -1
        loss = max(0, 1 - sign * score)
        square = sum(x * x for x in row.values())
        if loss == 0 or square == 0:
            return score, False
        tau = {
            "PA": loss / square,
            "PA-I": min(self.C, loss / square),
            "PA-II": loss / (square + 1 / (2 * self.C)),
        }[self.variant]
        for i, x in row.items():
            self.w[i] += tau * sign * x
        return score, True
