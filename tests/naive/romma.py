"""The shortest vector with y (u.x) >= 1 and u.w >= |w|^2; in whatever numbers the rows are."""


class ROMMA:
    def __init__(self, n, aggressive):
        self.w, self.aggressive = [0] * n, aggressive

    def weights(self):
        return self.w

    def trial(self, row, y):
        score = sum(self.w[i] * x for i, x in row.items())
        sign = 1 if y else -1
        mistake = (score >= 0) != bool(y)
        if not (mistake or (self.aggressive and sign * score < 1)):
            return score, False
        xx, ww = sum(x * x for x in row.values()), sum(w * w for w in self.w)
        if xx == 0:
            return score, False
        if ww == 0 or sign * score >= xx * ww:
            self.w = [sign * row.get(i, 0) / xx for i in range(len(self.w))]
            return score, True
        rest = xx * ww - score * score
        if rest * 10**12 <= xx * ww:
            return score, False
        c, d = (xx * ww - sign * score) / rest, ww * (sign - score) / rest
        self.w = [c * w + d * row.get(i, 0) for i, w in enumerate(self.w)]
        return score, True
