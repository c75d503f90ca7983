"""Keys: who may do what with which models. The file has their digests only; a key itself is shown once.

A key is ``lst_<id>_<secret>``. Its secret has 256 random bits, so that one pass of SHA-256 is as good as many.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from littlestone.core.errors import InvalidData, InvalidParameter
from littlestone.core.files import POSIX, replacing
from littlestone.core.messages import did_you_mean

if POSIX:
    import fcntl

__all__ = ["EVERYBODY", "ROLES", "Key", "Keys"]

ROLES = ("predict", "learn", "admin")  # each may do what those before it may
PREFIX = "lst"
NAME = "keys.json"


class Key(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a key: its role, the models it is for (none named: all), and the digest of its secret."""

    id: str
    role: str
    digest: str
    models: tuple[str, ...] = ()
    note: str = ""
    made: str = ""

    def may(self, role: str) -> bool:
        """Tell whether it may do what needs a role."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def reaches(self, model: str) -> bool:
        """Tell whether it is for a model."""
        return not self.models or model in self.models


EVERYBODY = Key("", "admin", "")  # who calls where there are no keys: this machine only


class _File(msgspec.Struct):
    """The file: a version, so that it can change, and the keys."""

    keys: list[Key]
    version: int = 1


class Keys:
    """The keys in the file of a folder; `reload` reads it anew.

    >>> import tempfile
    >>> keys = Keys(tempfile.mkdtemp())
    >>> said = keys.add("predict", models=["mail"], note="the web page")
    >>> key = keys.of(said)
    >>> key.may("predict"), key.may("learn"), key.reaches("mail"), key.reaches("news")
    (True, False, True, False)
    >>> keys.of(said + "x") is None, len(keys), key.digest in said
    (True, 1, False)
    >>> keys.revoke(key.id).note, keys.of(said)
    ('the web page', None)
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.path = Path(folder) / NAME
        self.open = False  # whether programs of this machine need no key, as long as there is none
        self._keys: dict[str, Key] = {}
        self._seen: tuple[int, ...] | None = None
        self.reload()

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys.values())

    @property
    def is_open(self) -> bool:
        """Whether programs of this machine need no key."""
        return self.open and not self._keys

    @property
    def is_missing(self) -> bool:
        """Whether there was no file, and so never a key; a file without keys lets nobody in."""
        return self._seen is None

    def changed(self) -> bool:
        """Tell whether the file is another one than that which was read last."""
        return self._stamp() != self._seen

    def _stamp(self) -> tuple[int, ...] | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def reload(self) -> None:
        """Read the file anew; after an error the keys are those that they were.

        Once there were keys, nobody comes in without one, also when all of them are gone.
        """
        self._seen = self._stamp()  # before it is read: what comes between is seen the next time
        self.open &= self.is_missing  # also if it cannot be read
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            self._keys, self._seen = {}, None
            return
        try:
            found = msgspec.json.decode(data, type=_File)
        except msgspec.DecodeError as error:
            raise _damaged(self.path, str(error)) from None
        for key in found.keys:
            if key.role not in ROLES:
                raise _damaged(self.path, f"key {key.id!r} has the role {key.role!r}")
        if found.version != 1 or len({key.id for key in found.keys}) != len(found.keys):
            what = f"version {found.version}" if found.version != 1 else "two keys of one id"
            raise _damaged(self.path, what)
        self._keys = {key.id: key for key in found.keys}

    def of(self, said: str) -> Key | None:
        """Return the key that somebody shows, if it is one; how long that takes does not tell what was wrong."""
        prefix, _, rest = said.partition("_")
        name, _, secret = rest.partition("_")
        key = self._keys.get(name)
        same = hmac.compare_digest(_digest(secret), _digest("") if key is None else key.digest)
        return key if same and key is not None and prefix == PREFIX and secret else None

    def add(self, role: str, *, models: Iterable[str] = (), note: str = "") -> str:
        """Make a key and write the file; return the key, which nobody can read there."""
        if role not in ROLES:
            raise InvalidParameter(
                f"key: expected a role ({', '.join(ROLES)}), got {role!r}", *filter(None, [did_you_mean(role, ROLES)])
            )
        secret, made = secrets.token_urlsafe(32), datetime.now(UTC).isoformat(timespec="seconds")
        with self._writing():
            name = secrets.token_hex(4)
            while name in self._keys:
                name = secrets.token_hex(4)
            self._keys[name] = Key(name, role, _digest(secret), tuple(dict.fromkeys(models)), note, made)
        return f"{PREFIX}_{name}_{secret}"

    def revoke(self, name: str) -> Key:
        """Remove a key, given by its id, and write the file; return what was known of it."""
        with self._writing():
            if name not in self._keys:
                close = did_you_mean(name, self._keys)
                raise InvalidParameter(f"{self.path}: expected the id of a key, got {name!r}", *filter(None, [close]))
            return self._keys.pop(name)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Read the file, let it be changed, and write it: one process at a time, readable by its owner only."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _alone(self.path.with_suffix(".lock")):
            self.reload()
            before = dict(self._keys)
            try:
                yield
                if not self.path.exists():  # who replaces a file keeps its permissions
                    os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
                    self.path.write_bytes(msgspec.json.encode(_File([])))
                self.path.chmod(0o600)
                with replacing(self.path) as file:
                    file.write(msgspec.json.format(msgspec.json.encode(_File([*self]))) + b"\n")
            except BaseException:
                self._keys = before
                raise


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock, where there are any."""
    handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        if POSIX:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _damaged(path: Path, got: str) -> InvalidData:
    return InvalidData(
        f"{path}: expected keys as `littlestone key` writes them, got something else ({got})",
        "bring the file back, or remove it and make new keys",
    )
