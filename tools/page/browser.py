"""Debian's Chromium over WebDriver, as an unprivileged user and in Chromium's own sandbox."""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from box import NAME

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Chromium's sandbox needs another user than root.
UNPRIVILEGED = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
FLAGS = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
         "--disable-background-networking", f"--host-resolver-rules=MAP {NAME} 127.0.0.1", "--disable-component-update"]


class Failure(Exception):
    """The browser refused a command, or something did not come in time."""


def request(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    try:
        asked = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        raise Failure(f"{method} {url}: {json.load(error)['value']['message'].splitlines()[0]}") from None


def fake_camera(film):
    """A camera that sees an endless film of JPEGs, 30 a second, and that the person allows."""
    return ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={film}"]


class Driver:
    """chromedriver, which starts a browser for each phone."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ballmachine-browser-")
        self.phones = []
        command = ["chromedriver", "--port=0"]
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
            command = UNPRIVILEGED + command
        # Only what it needs: nothing of this session's environment is for a browser.
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.folder, "TMPDIR": self.folder, "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(command, cwd=self.folder, env=environment, text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in self.process.stdout:
            if "started successfully on port" in line:
                self.base = f"http://127.0.0.1:{line.split()[-1].rstrip('.')}"
                return
        raise Failure("chromedriver did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.ExitStack() as stack:
            stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
            stack.callback(self.process.wait, 10)
            stack.callback(self.process.terminate)
            for phone in list(self.phones):
                stack.callback(phone.close)

    def phone(self, width=390, height=844, scale=2, language="en", logs=None, settings=None, film=None):
        """`settings`: Chromium's own, by their names; `film`: what its camera sees, see `fake_camera'."""
        return Phone(self, width, height, scale, language, logs or {}, settings or {}, film)


class Phone:
    """A browser of its own: its cookies are no other phone's."""

    def __init__(self, driver, width, height, scale, language, logs, settings, film):
        self.driver = driver
        metrics = {"width": width, "height": height, "pixelRatio": scale, "touch": True}
        flags = [*FLAGS, f"--accept-lang={language}", *(fake_camera(film) if film else [])]
        options = {"binary": "/usr/bin/chromium", "args": flags,
                   "mobileEmulation": {"deviceMetrics": metrics}, "prefs": settings}
        # Certificates of these boxes are their own.
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "acceptInsecureCerts": True,
                  "goog:loggingPrefs": {"browser": "ALL"} | logs}
        session = request("POST", f"{driver.base}/session", {"capabilities": {"alwaysMatch": wanted}})
        self.base = f"{driver.base}/session/{session['sessionId']}"
        driver.phones.append(self)

    def close(self):
        self.driver.phones.remove(self)
        request("DELETE", self.base)

    def call(self, path, body=None):
        return request("GET" if body is None else "POST", self.base + path, body)

    def open(self, url):
        self.call("/url", {"url": url})

    def reload(self):
        self.call("/refresh", {})

    def resize(self, width, height, scale=2):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                     mobile=True)

    def command(self, name, **parameters):
        """One of Chromium's own, for what WebDriver lacks."""
        return self.call("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script, *arguments):
        return self.call("/execute/sync", {"script": script, "args": list(arguments)})

    def close_sheets(self):
        """As a person does, one after the other."""
        while self.run("return !document.querySelector('#sheet').hidden"):
            depth = self.run("document.querySelector('#close').click(); return history.state")
            self.wait("history.state !== arguments[0]", depth)

    def find(self, selector):
        return {ELEMENT: self.call("/element", {"using": "css selector", "value": selector})[ELEMENT]}

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def type(self, selector, text):
        self.wait("document.querySelector(arguments[0])?.checkVisibility()", selector)
        self.call(f"/element/{self.find(selector)[ELEMENT]}/value", {"text": text})

    def press(self, key):
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def finger(self, *actions):
        kind = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}}
        self.call("/actions", {"actions": [kind | {"actions": list(actions)}]})

    def touch(self, selector, seconds=0.05):
        """A finger on the middle of it, as soon as it is there, for so long."""
        self.wait("document.querySelector(arguments[0])?.checkVisibility()", selector)
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'nearest'})", selector)
        at = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": self.find(selector)}
        hold = {"type": "pause", "duration": round(seconds * 1000)}
        self.finger(at, {"type": "pointerDown", "button": 0}, hold, {"type": "pointerUp", "button": 0})

    def drag(self, x, y, to_x, to_y):
        """A finger over the window, in pixels."""
        at = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        move = {"type": "pointerMove", "duration": 100, "x": round(to_x), "y": round(to_y)}
        self.finger(at, {"type": "pointerDown", "button": 0}, move, {"type": "pointerUp", "button": 0})

    def wait(self, script, *arguments, seconds=5):
        """Until the script returns something that counts as true; returns that."""
        end = time.monotonic() + seconds
        while True:
            value = self.run(f"return {script}", *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f"this did not come in {seconds} s: {script} {list(arguments) or ''}\n{self.seen()}")
            time.sleep(0.03)

    def seen(self):
        body = "document.body"
        return self.run(f"return JSON.stringify({body}.dataset) + ' ' + {body}.innerText.slice(0, 600)")

    def tab(self, url):
        """Another tab in front; returns its handle."""
        handle = self.call("/window/new", {"type": "tab"})["handle"]
        self.show(handle)
        self.open(url)
        return handle

    def show(self, handle):
        self.call("/window", {"handle": handle})

    def close_tab(self):
        request("DELETE", self.base + "/window")

    @property
    def front(self):
        return self.call("/window")

    def picture(self, path, whole=False):
        """Of the window, or of the whole page."""
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=True)["data"] if whole else \
            self.call("/screenshot")
        Path(path).write_bytes(base64.b64decode(shot))

    def complaints(self, network=True):
        """What the console has had since it was last asked, with or without what the network failed to do."""
        return [entry["message"] for entry in self.call("/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING") and (network or entry["source"] != "network")]
