"""All hypotheses of a Perceptron, each with the number of trials it survived; they vote."""


class VotedPerceptron:
    def __init__(self, n):
        self.hypotheses, self.survived = [[0] * n], [0]

    def weights(self):
        return self.hypotheses[-1]

    def trial(self, row, y):
        says = [1 if sum(w[i] * x for i, x in row.items()) >= 0 else -1 for w in self.hypotheses]
        vote = sum(c * s for c, s in zip(self.survived, says, strict=True))
        if (says[-1] == 1) == bool(y):
            self.survived[-1] += 1
            return vote, False
        last = self.hypotheses[-1]
        self.hypotheses.append([w + (1 if y else -1) * row.get(i, 0) for i, w in enumerate(last)])
        self.survived.append(1)
        return vote, True
