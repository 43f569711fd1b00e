"""A box without Bluetooth, in a folder of its own: bus, mock machine, bridge, camera and page."""

import collections
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import qr
from measuring.processes import Process, event, parsed
from measuring.stage import Bus

MACHINE = "F0:F1:F2:F3:F4:F5"
STOP = "000000000000000000"
# What each JPEG of a film begins with, and nothing in it has.
SOI = b"\xff\xd8\xff"
# What phones call the box; browser.py knows where that is. Over plain HTTP, a browser gives less to such a
# page than to localhost's.
NAME = "court.test"
# Below those that the kernel gives to clients, and no other test's.
PORTS = range(10000 + os.getpid() % 5000 * 4, 32768)[:3]


class Box:
    """All of it; it ends with the `with` block."""

    def __init__(self, programs):
        self.programs = Path(programs)
        self.folder = Path(tempfile.mkdtemp(prefix="ballmachine-page-"))
        for name in ("run", "state", "camera", "web"):
            (self.folder / name).mkdir(mode=0o755)
        self.settings = self.folder / "bridge.yaml"
        self.settings.write_text("court:\n  apron: 3\n")
        self.configure()
        self.stack = contextlib.ExitStack()
        self.service = self.camera = self.web = self.player = None

    def configure(self, secure=False):
        """The page's configuration; with a certificate of its own if that is wanted."""
        lines = ["page:", "  listen: 0.0.0.0", f"  names: [{NAME}]"]
        names = ("port", "stop-port", "plain-stop-port")
        lines += [f"  {name}: {port}" for name, port in zip(names, PORTS)]
        lines += ["camera:", f"  socket: {self.folder}/camera/camera.sock"]
        if secure:
            files = {"certificate": self.folder / "box.crt", "key": self.folder / "box.key"}
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                            "-noenc", "-days", "2", "-subj", "/CN=box", "-addext", "subjectAltName=IP:127.0.0.1",
                            "-out", files["certificate"], "-keyout", files["key"]], check=True, capture_output=True)
            lines += ["tls:", *(f"  {name}: {path}" for name, path in files.items())]
        (self.folder / "web.yaml").write_text("\n".join([*lines, ""]))

    def __enter__(self):
        with self.stack:
            self.stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self.bus = self.stack.enter_context(Bus())
            self.mock = self.start("ballmachine", "mock", "--json")
            self.mock.wait_for(event(event="up"))
            self.serve()
            self.stack = self.stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    @property
    def environment(self):
        folders = {"RUNTIME_DIR": "run", "STATE_DIRECTORY": "state", "CAMERA_DIR": "camera", "WEB_DIR": "web"}
        return self.bus.environment | {f"BALLMACHINE_{name}": str(self.folder / folder)
                                       for name, folder in folders.items()}

    def start(self, program, *arguments, **environment):
        process = Process([self.programs / program, *arguments], self.environment | environment)
        self.stack.callback(self.end, process)
        return process

    @staticmethod
    def end(process):
        """Ends it, if it runs."""
        if process.process.poll() is None:
            process.end()

    def ballmachine(self, *arguments, program="ballmachine", typed=None):
        """What a command prints."""
        ended = subprocess.run([self.programs / program, *arguments], env=os.environ | self.environment, text=True,
                               input=typed, capture_output=True, timeout=20)
        if ended.returncode:
            raise AssertionError(f"{' '.join(arguments)} ended with {ended.returncode}: {ended.stderr}")
        return ended.stdout

    # The bridge

    def serve(self, link="ready"):
        """Starts it, and waits for that state of its link."""
        self.service = self.start("ballmachine", "serve", "--json", "--config", self.settings)
        self.service.wait_for(event(event="link", state=link))

    def status(self):
        return json.loads(self.ballmachine("status", "--json"))

    def link(self, ready=True):
        """Waits until the bridge has one, or has lost it."""
        end = time.monotonic() + 20
        while (self.status()["link"]["state"] == "ready") != ready:
            assert time.monotonic() < end, f"the link did not become {'ready' if ready else 'lost'}"
            time.sleep(0.1)

    def reach(self, state):
        """From stopped, paused or disarmed; `armed' is the countdown."""
        now = self.status()["safety"]["state"]
        if now == "stopped":
            self.ballmachine("reset")
        elif now != "disarmed":
            self.ballmachine("disarm")
        if state == "live":
            self.ballmachine("arm", "--countdown", "0")
        elif state == "countdown":
            self.ballmachine("arm", "--countdown", "30")

    def see_player(self):
        """A player who walks along the baseline, until the box ends."""
        self.player = Player(self.folder / "run/positions.sock")
        self.stack.callback(self.player.end)

    # The machine

    def machine(self, verb, *words):
        self.mock.process.stdin.write(" ".join([verb, *words]) + "\n")
        self.mock.process.stdin.flush()

    def rename(self, name):
        """BlueZ keeps a name as long as it keeps the device."""
        self.machine("vanish", MACHINE)
        self.link(ready=False)
        self.machine("remove-object", MACHINE)
        self.machine("machine", MACHINE, "name", name)
        self.link()

    def writes(self):
        """What the machine has received: times and commands."""
        events = [parsed(line) for line in list(self.mock.lines) if line]
        return [(value["t"], value["value"]) for value in events if value and value.get("event") == "write"]

    def balls(self):
        return [time for time, value in self.writes() if value != STOP]

    # The page

    def show(self):
        """Starts the page's program."""
        self.web = self.start("ballmachine-web", "run", "--json", "--config", self.folder / "web.yaml")
        self.web.wait_for(event(event="listening"))

    def kill(self, process):
        process.send(signal.SIGKILL)
        process.process.wait()

    def pair_phone(self):
        """The address in the QR code that `pair-phone' prints, and the code in that."""
        address = qr.text(self.ballmachine("pair-phone", program="ballmachine-web"))
        return address, address.partition("#pair=")[2]

    # The camera

    def film(self, sight=None):
        """Starts the camera on a rendered film; returns where the marks are in it."""
        marks = self.render(1, "1280x720", sight)
        self.see("--from-file", self.folder / "camera/film.mjpeg", "--repeat", "1000")
        return marks

    def render(self, seconds, size, sight=None, folder="camera"):
        """A film with its calibration; returns where the marks are in it."""
        subprocess.run([sight or self.programs / "Sight", "film", "sun", "101", str(seconds), size, self.folder / folder],
                       check=True)
        return self.marks(folder)

    def see(self, *source, calibration="court.yaml"):
        """Starts the camera's program."""
        folder = self.folder / "camera"
        # Of one that was killed.
        (folder / "camera.sock").unlink(missing_ok=True)
        self.camera = self.start("ballmachine-camera", "run", "--calibration", folder / calibration, *source)
        while not (folder / "camera.sock").exists():
            assert self.camera.process.poll() is None, self.camera.errors
            time.sleep(0.02)

    def phone_film(self, seconds, size="640x360", sight=None):
        """A film for a phone's camera, which sees 30 pictures a second: each of the film's 15 is there twice. Returns
        the film, and where the marks are in it."""
        folder = self.folder / f"phone-{size}"
        folder.mkdir()
        marks = self.render(seconds, size, sight, folder.name)
        pictures = (folder / "film.mjpeg").read_bytes().split(SOI)[1:]
        film = folder / "phone.mjpeg"
        film.write_bytes(b"".join(2 * (SOI + picture) for picture in pictures))
        # Chromium runs as another user.
        self.folder.chmod(0o755)
        return film, marks

    def wait_for_a_phone(self, feed=None):
        """Starts the camera's program without a camera of its own."""
        self.see("--device", "/dev/no-camera", "--feed", feed or self.folder / "run/positions.sock")

    def marks(self, folder="camera"):
        """Those of a calibration."""
        text = (self.folder / folder / "court.yaml").read_text()
        found = re.findall(r"^  ([a-z-]+): \[([\d.]+), ([\d.]+)\]", text, re.MULTILINE)
        return {name: (float(u), float(v)) for name, u, v in found}


def walk(now, y=9.8):
    """Along the baseline, or a line in parallel: a place at a moment, in metres and seconds."""
    return 4.1 + 2 * abs(now % 8 / 4 - 1), y


class Player:
    """10 positions a second, as long as the bridge takes them."""

    def __init__(self, path):
        self.path = str(path)
        # Of the moment; one without a place is not seen.
        self.place = walk
        self.ending = threading.Event()
        # Lines to send as they are, each in place of a position.
        self.lines = collections.deque()
        self.thread = threading.Thread(target=self._walk, daemon=True)
        self.thread.start()

    def end(self):
        self.ending.set()
        self.thread.join()

    def _walk(self):
        while not self.ending.is_set():
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as feeder:
                feeder.connect(self.path)
                while not self.ending.wait(0.1):
                    if place := self.place(time.monotonic()):
                        position = '{{"x": {:.4f}, "y": {:.4f}}}\n'.format(*place).encode()
                        feeder.sendall(self.lines.popleft() if self.lines else position)
            self.ending.wait(0.1)
