"""Chromium without a window, asked over a pipe (the DevTools protocol): what a page requests, and how it looks."""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys

__all__ = ["Chromium", "found"]

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
# The browser reads from 3 and writes to 4
START = (
    "import os, sys; [os.dup2(int(end), to) for end, to in zip(sys.argv[1:3], (3, 4))]; "
    "os.execv(sys.argv[3], sys.argv[3:])"
)


def found():
    """Return the program, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Chromium:
    """One page of a browser; ``with Chromium(folder) as page``, where the folder is its profile."""

    def __init__(self, profile):
        self.profile = profile
        self.last = 0
        self.events = []
        self.rest = b""

    def __enter__(self):
        commands, self.write = os.pipe()
        self.read, answers = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands, answers)]
        os.close(commands), os.close(answers)
        words = [sys.executable, "-c", START, *map(str, ends), found(), *FLAGS, f"--user-data-dir={self.profile}"]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen([*words, "about:blank"], pass_fds=ends, **quiet)
        for end in ends:
            os.close(end)
        self.session = None
        target = next(one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.ask(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        os.close(self.write), os.close(self.read)

    def ask(self, method, **params):
        """Return what the browser answers; what happens meanwhile goes to ``events``."""
        self.last += 1
        number = self.last
        session = {"sessionId": self.session} if self.session else {}
        os.write(self.write, json.dumps({"id": number, "method": method, "params": params} | session).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def message(self):
        """Return the next message of the browser."""
        while b"\0" not in self.rest:
            part = os.read(self.read, 1 << 20)
            if not part:
                raise RuntimeError("the browser has gone")
            self.rest += part
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def open(self, address):
        """Load a page, and return the addresses that it has requested until then."""
        self.events.clear()
        self.ask("Page.navigate", url=address)
        while not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self.events.append(self.message())
        return [
            one["params"]["request"]["url"] for one in self.events if one.get("method") == "Network.requestWillBeSent"
        ]

    def value(self, script):
        """Return what a script finds, once what it promises has come."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        return found["result"].get("value")

    def size(self, width, height=900):
        """Make the window as wide as that; a narrow one is a phone's."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 600)  # fmt: skip

    def picture(self, path, *, whole=False):
        """Write what the window shows, or the whole page, as PNG."""
        shown = self.ask("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shown["data"]))
