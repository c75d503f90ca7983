"""Names hashed to columns, one byte at a time, and the pairs of a row, one by one."""

MASK = 2**64 - 1


def hashed(name):
    """FNV-1a, then the finalizer of MurmurHash3."""
    h = 14695981039346656037
    for byte in str(name).encode():
        h = (h ^ byte) * 1099511628211 & MASK
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        h = (h ^ h >> 33) * factor & MASK
    return h ^ h >> 33


def folded(row, bits):
    """A row of names and values (not 0) as columns and values."""
    found = {}
    for h, value in sorted((hashed(name), value) for name, value in row.items()):
        found.setdefault(h >> 64 - bits, []).append(value)
    if all(value == 1 for value in row.values()):
        return dict.fromkeys(found, 1.0)
    totals = {}
    for column, values in found.items():
        totals[column] = 0.0
        for value in values:
            totals[column] += value
    return {column: total for column, total in totals.items() if total}


def escaped(name):
    return str(name).replace("\\", "\\\\").replace("&", "\\&")


def paired(row, allowed=lambda a, b: True):
    """A row of names and values with all pairs that are allowed."""
    names = list(row)
    found = {escaped(name): value for name, value in row.items()}
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            if allowed(a, b) or allowed(b, a):
                found["&".join(sorted((escaped(a), escaped(b))))] = row[a] * row[b]
    return {name: value for name, value in found.items() if value}
