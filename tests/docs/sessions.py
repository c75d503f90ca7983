"""Sessions of a shell in pages: what stands behind `$ ` is run, and what stands below must be what it prints."""

import doctest
import os
import queue
import re
import shlex
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PORT", "Piece", "Shell", "pieces", "same"]

PORT = "8765"  # in pages; another one, that is free, when they are run
PATIENCE = 60  # seconds for a command
WAYS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Piece:
    """A command with what it prints, or a file with its content; ``line`` is where it stands in its page."""

    line: int
    command: str = ""
    shown: str = ""
    file: str = ""


def pieces(text):
    """Return the commands of blocks of ```console, and the files: programs that begin with a comment of their name."""
    found = []
    for block in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text[: block.start()].count("\n") + 2
        if block[1] == "console":
            at = 0
            for one in re.split(r"^(?=\$ )", block[2], flags=re.MULTILINE):
                if one:
                    said, *shown = re.split(r"\n(?!> )", one, maxsplit=1)
                    command = said.removeprefix("$ ").replace("\n> ", "\n")
                    found.append(Piece(line + at, command, shown[0] if shown else ""))
                at += one.count("\n")
        elif name := re.match(r"# ([\w-]+\.py)\n", block[2]):
            found.append(Piece(line, file=name[1], shown=block[2]))
    return found


def same(shown, printed):
    """Return whether a page shows what was printed; `...` stands for anything."""
    return shown == printed or doctest.OutputChecker().check_output(shown, printed, WAYS)


class Shell:
    """A bash in a folder, in which `littlestone` and `python` are those of the tests."""

    def __init__(self, folder):
        self.folder = Path(folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        tools = self.folder / ".tools"
        tools.mkdir()
        for name, words in {"littlestone": "-m littlestone", "python": ""}.items():
            (tools / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n')
            (tools / name).chmod(0o755)
        own = {"PATH": f"{tools}:{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        self.bash = subprocess.Popen(
            ["bash", "--norc"], cwd=folder, env={**os.environ, **own}, text=True, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.lines = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.run("set -m")  # so that what runs behind has a number to be ended by

    def _listen(self):
        for line in self.bash.stdout:
            self.lines.put(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.bash.stdin.write("kill %1 %2 2>/dev/null; wait; exit\n")
        self.bash.stdin.close()
        self.bash.wait(PATIENCE)
        self.bash.stdout.close()

    def write(self, piece):
        """Write the file of a piece."""
        (self.folder / piece.file).write_text(self.with_port(piece.shown), encoding="utf-8")

    def with_port(self, text):
        """Return a text with the port of this run in the place of that of the page."""
        return text.replace(PORT, self.port)

    def run(self, command, lines=0):
        """Return what a command prints; one that stays behind (&) is waited for until it has printed so many lines."""
        self.bash.stdin.write(f"{self.with_port(command)}\necho :::end\n")
        self.bash.stdin.flush()
        printed, ended = [], False
        while not ended or len(printed) < lines:
            line = self.lines.get(timeout=PATIENCE)
            if line.endswith(":::end\n"):
                ended, line = True, line.removesuffix(":::end\n")
            if line:
                printed.append(line)
        return "".join(printed).replace(self.port, PORT)
