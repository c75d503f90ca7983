"""Cut the stretches since the last change where two meet: a change if m kl(x, q) >= L on both sides for some rate."""

from math import exp, log


def kl(x, q):
    return (x * log(x / q) if x else 0.0) + ((1 - x) * log((1 - x) / (1 - q)) if x < 1 else 0.0)


def joined(stretches):
    """At most five of a length: of six the two oldest become one."""
    lengths = [length for length, _ in stretches]
    for length in sorted(set(lengths)):
        if lengths.count(length) > 5:
            at = lengths.index(length)
            (a, s), (b, t) = stretches[at : at + 2]
            return joined([*stretches[:at], (a + b, s + t), *stretches[at + 2 :]])
    return stretches


def changes(mistakes, *, delta, every=32):
    """The trials after which a change is noticed."""
    rates = [1 / (1 + exp(-(-9.2 + 18.4 * i / 399))) for i in range(400)]
    found, stretches, k = [], [], 0
    for start in range(0, len(mistakes) - every + 1, every):
        k += 1
        stretches = joined([*stretches, (1, sum(mistakes[start : start + every]))])
        for cut in range(1, len(stretches)):
            m, after = (every * sum(length for length, _ in part) for part in (stretches[:cut], stretches[cut:]))
            x, y = sum(s for _, s in stretches[:cut]) / m, sum(s for _, s in stretches[cut:]) / after
            needed = log(2 * 400 * 5 * k.bit_length() * k * (k + 1) / delta)
            if any(x < q < y and m * kl(x, q) >= needed and after * kl(y, q) >= needed for q in rates):
                found.append(start + every - 1)
                stretches, k = [], 0
                break
    return found
