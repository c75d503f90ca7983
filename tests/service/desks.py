"""What the tests of the service share."""

import random

from littlestone.service.desk import Desk
from littlestone.service.options import Options
from littlestone.service.wire import Create, Download, Learn, Made

QUICK = Options(every=10**9, seconds=1e9, lock=0.0, again=0.0)


def row(rng, width=5, names=50):
    """A row of some attributes, with the label that its weights have."""
    x = {f"a{rng.randrange(names)}": round(rng.random(), 3) for _ in range(width)}
    return x, "yes" if sum(int(name[1:]) % 2 * value for name, value in x.items()) > 1 else "no"


def examples(count, seed=1):
    """Rows and labels."""
    rng = random.Random(seed)
    found = [row(rng) for _ in range(count)]
    return [x for x, _ in found], [label for _, label in found]


def begun(folder, options=QUICK, **more):
    """A desk with a model, "m"."""
    desk = Desk(folder, options, **more)
    [made] = desk.handle([Create("m", "arow", labels=["no", "yes"])])
    assert made == Made("m", 0)
    return desk


def taught(desk, count, seed=1, model="m", batch=7):
    """Teach a model so many rows, a request and an entry for a batch of them."""
    rows, labels = examples(count, seed)
    requests = [Learn(model, rows[at : at + batch], labels[at : at + batch]) for at in range(0, count, batch)]
    replies = [desk.handle([request])[0] for request in requests]
    assert sum(reply.count for reply in replies) == count
    return rows, labels


def file_of(desk, model="m", at=None):
    """The bytes of a model's file."""
    [reply] = desk.handle([Download(model, at)])
    return reply.data
