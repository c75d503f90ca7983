"""A disk whose power fails: what was not flushed is there, or not, or in part."""

import apsw

SECTOR = 512


class PowerCut(Exception):
    """The power failed: nothing is written any more."""


class Node:
    """A file: what is on the disk, what is in memory, and what was done since it was flushed."""

    def __init__(self, data=b""):
        self.durable, self.now, self.pending = bytearray(data), bytearray(data), []

    def do(self, operation):
        self.pending.append(operation)
        apply(self.now, operation)

    def flush(self):
        self.durable = bytearray(self.now)
        self.pending.clear()


def apply(data, operation):
    """Do an operation: the bytes that are written somewhere, or the size that a file is cut to."""
    at, written = operation
    if written is None:
        del data[at:]
        return
    if len(data) < at:
        data.extend(bytes(at - len(data)))
    data[at : at + len(written)] = written


class Disk(apsw.VFS):
    """A disk in memory; after so many operations the power fails."""

    def __init__(self, name, files=None, operations=None):
        self.name, self.left = name, operations
        self.files = {path: Node(data) for path, data in (files or {}).items()}
        super().__init__(name, "")

    def count(self):
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise PowerCut

    def after(self, rng):
        """What is found when the power is back: of what was not flushed anything may be there, in any order."""
        found = {}
        for path, node in self.files.items():
            data, mood = bytearray(node.durable), rng.choice(["drop", "keep", "any", "any"])
            for at, written in node.pending:
                if mood == "drop" or (mood == "any" and rng.random() < 0.4):
                    continue
                if written is not None and mood == "any" and rng.random() < 0.3:
                    written = written[: SECTOR * rng.randrange(len(written) // SECTOR + 1)]  # noqa: PLW2901 - torn
                apply(data, (at, written))
            found[path] = bytes(data)
        return found

    def xOpen(self, name, flags):  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        flags[1] = flags[0]
        return File(self, self.files.setdefault(path, Node()))

    def xDelete(self, name, sync):  # noqa: N802, ARG002
        self.count()
        self.files.pop(name, None)

    def xAccess(self, name, flags):  # noqa: N802, ARG002
        return name in self.files

    def xFullPathname(self, name):  # noqa: N802
        return name


class File:
    """An open file of a disk."""

    def __init__(self, disk, node):
        self.disk, self.node = disk, node

    def xRead(self, amount, offset):  # noqa: N802
        return bytes(self.node.now[offset : offset + amount])

    def xWrite(self, data, offset):  # noqa: N802
        self.disk.count()
        self.node.do((offset, bytes(data)))

    def xTruncate(self, size):  # noqa: N802
        self.disk.count()
        self.node.do((size, None))

    def xSync(self, flags):  # noqa: N802, ARG002
        self.disk.count()
        self.node.flush()

    def xFileSize(self):  # noqa: N802
        return len(self.node.now)

    def xDeviceCharacteristics(self):  # noqa: N802
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE  # as that of a file

    def xSectorSize(self):  # noqa: N802
        return 4096

    def xFileControl(self, op, pointer):  # noqa: N802, ARG002
        return False

    def xCheckReservedLock(self):  # noqa: N802
        return False

    def xLock(self, level):  # noqa: N802
        """Nobody else is there."""

    xUnlock = xLock

    def xClose(self):  # noqa: N802
        """Nothing is to be done."""
