"""A real Chromium, driven over its DevTools protocol by two pipes: no driver, no port, no network."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(BROWSER is None, reason="no chromium in PATH")
PATIENCE = 60
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--remote-debugging-pipe",
)


class Chromium:
    """One browser with one tab. log: what pages said on the console, and errors; requests: the addresses asked for."""

    def __init__(self):
        self._profile = tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True)
        its_in, self._out = os.pipe()
        self._in, its_out = os.pipe()

        def as_3_and_4():
            held = os.dup(its_in), os.dup(its_out)
            os.dup2(held[0], 3)
            os.dup2(held[1], 4)

        self._process = subprocess.Popen(
            [BROWSER, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
            preexec_fn=as_3_and_4,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for end in (its_in, its_out):
            os.close(end)
        self._buffer, self._number, self._session = b"", 0, None
        self.log, self.requests, self._loaded = [], [], False
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def close(self):
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._profile.cleanup()

    def ask(self, method, **parameters):
        """The result of one command of the protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        rest = json.dumps(message).encode() + b"\0"
        while rest:
            rest = rest[os.write(self._out, rest) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def _next(self):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            assert ready, "chromium does not answer"
            part = os.read(self._in, 1 << 20)
            assert part, "chromium has ended"
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(line)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, event, told):
        if event == "Runtime.consoleAPICalled":
            self.log.append(str([argument.get("value") for argument in told["args"]]))
        elif event == "Runtime.exceptionThrown":
            self.log.append(json.dumps(told["exceptionDetails"]))
        elif event == "Log.entryAdded":
            self.log.append(told["entry"]["text"])
        elif event == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif event == "Page.loadEventFired":
            self._loaded = True

    def open(self, path, width=1200, height=900, dark=False, phone=False):
        """Show a file, and wait until it is loaded and its first frame drawn."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.log, self.requests, self._loaded = [], [], False
        self.ask("Page.navigate", url=f"file://{path}")
        while not self._loaded:
            self._next()
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def run(self, script):
        """The value of an expression in the page; promises are waited for."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key):
        """One key, down and up, on what has the focus."""
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key)

    def click(self, x, y):
        """The left button at a place of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path):
        """What the window shows, as a PNG file."""
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))
