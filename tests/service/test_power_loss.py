"""Power loss at a random moment: what was acknowledged is there; a laxer way of writing would fail the same test."""

import random
from itertools import count

import apsw
import pytest

from littlestone.service.journal.entries import BEGINNING, Key, encode, linked, sealed
from littlestone.service.journal.journal import Draft, Journal, entries_of
from littlestone.service.journal.keys import key_digest
from tests.service.power import Disk, PowerCut

# whatever SQLite still tries on a disk without power
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

names = (f"power-{number}" for number in count())


def opened(disk, synchronous):
    """The journal on a disk; one process alone, so that no memory needs to be shared."""
    connection = apsw.Connection("journal.db", vfs=disk.name)
    connection.execute("PRAGMA locking_mode=EXCLUSIVE")
    journal = Journal(connection, window=50, synchronous=synchronous)
    connection.execute("PRAGMA wal_autocheckpoint=20")
    return journal


def cut(rng, synchronous):
    """Write groups until the power fails; return whether all that was acknowledged is there, and nothing is broken."""
    disk = Disk(next(names), operations=rng.randrange(15, 600))
    acknowledged = 0
    try:
        journal = opened(disk, synchronous)
        while True:
            drafts = []
            for at in range(rng.randrange(1, 6)):
                rows = [encode(rng.random()) * rng.randrange(1, 60) for _ in range(3)]
                key = key_digest(b"", str(acknowledged + at))
                drafts.append(Draft(1, 1 + 3 * (acknowledged + at), 3, "learn", sealed(rows), Key(key, b"", b"")))
            with journal.transaction():
                journal.append(drafts)
            acknowledged += len(drafts)
    except (apsw.Error, PowerCut):
        assert disk.left < 0
    again = Disk(next(names), disk.after(rng))
    journal = opened(again, synchronous)
    found = list(entries_of(journal.connection, None))
    chain = BEGINNING
    for seq, entry in enumerate(found, 1):
        chain = linked(chain, 1, entry.first, 3, "learn", entry.digest)
        assert (entry.seq, entry.first, entry.chain) == (seq, 3 * seq - 2, chain) and entry.is_sound
    assert journal.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert all(journal.keys.find(key_digest(b"", str(at))) for at in range(max(len(found) - 50, 0), len(found)))
    with journal.transaction():
        journal.append([Draft(1, 3 * len(found) + 1, 3, "learn", sealed([b"", b"", b""]))])
    journal.close()
    return len(found) >= acknowledged


def test_what_was_acknowledged_survives_power_loss():
    assert all(cut(random.Random(seed), "FULL") for seed in range(30))


@pytest.mark.slow
def test_what_was_acknowledged_survives_200_power_losses():
    assert all(cut(random.Random(seed), "FULL") for seed in range(100, 300))


def test_what_is_not_flushed_would_be_lost():
    assert not all(cut(random.Random(seed), "NORMAL") for seed in range(30))
