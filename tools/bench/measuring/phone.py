"""A phone as the camera: how soon its picture is a position, how many come, and what that costs. tools/bench/phone
starts it."""

import argparse
import json
import socket
import sys
import threading
import time
from pathlib import Path

from box import Box
from browser import Driver

from .percentile import percentile
from .processes import Usage
from .table import said, say

# The film of a minute comes again and again.
FILM = 60
# Of the finder, until it knows the court and the player.
SETTLE = 15
# The callbacks of the page's video frames, on the clock of this machine: when each was called, and when its picture was
# taken, which is what a position tells.
WATCH = """
  window.callbacks = [];
  const own = HTMLVideoElement.prototype.requestVideoFrameCallback;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (act) {
    return own.call(this, (now, frame) => {
      const shift = performance.timeOrigin;
      window.callbacks.push([shift + now, shift + (frame.captureTime ?? now)]);
      act(now, frame);
    });
  };"""
POST = """
  return fetch(arguments[0], {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify(arguments[1])}).then(answer => answer.json())"""
HAS = "document.querySelector(arguments[0])?.textContent.includes(arguments[1])"


class Sink:
    """Takes positions in the bridge's place: when each came, and when its picture was taken, in seconds since 1970."""

    def __init__(self, path):
        self.positions = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self._read, args=(connection,), daemon=True).start()

    def _read(self, connection):
        with connection, connection.makefile() as lines:
            for line in lines:
                now, since_boot = time.time(), time.clock_gettime(time.CLOCK_BOOTTIME)
                position = json.loads(line)
                if "t" in position:
                    self.positions.append((now, now - since_boot + position["t"]))


def main():
    parser = argparse.ArgumentParser(prog="tools/bench/phone")
    for path in ("programs", "sight", "table"):
        parser.add_argument(f"--{path}", type=Path)
    parser.add_argument("--seconds", type=int, default=600)
    options = parser.parse_args()
    with Box(options.programs) as box, Driver() as driver:
        sink = Sink(box.folder / "sink.sock")
        film, marks = box.phone_film(FILM, sight=options.sight)
        box.wait_for_a_phone(box.folder / "sink.sock")
        box.configure(secure=True)
        box.show()
        phone = begin(box, driver, film, marks)
        say("the phone is the camera, and sees the player")
        live = measure_phone(box, phone, sink, options.seconds)
        phone.close()
        box.end(box.camera)
        box.see("--from-file", film.with_name("film.mjpeg"), "--repeat", "1000", "--feed", box.folder / "sink.sock",
                calibration=film.with_name("court.yaml"))
        time.sleep(SETTLE)
        of_film = share(options.seconds, box.camera)
    lines = table(live, of_film, options.seconds)
    print("\n".join(lines))
    if options.table:
        options.table.write_text("\n".join(lines) + "\n")
    return 1 if any(line.endswith("NO |") for line in lines) else 0


def begin(box, driver, film, marks):
    """A phone that is the camera, calibrated, on a page that notes its frames."""
    phone = driver.phone(film=film)
    phone.open(box.pair_phone()[0])
    phone.wait("document.body.dataset.paired === 'true'")
    phone.run(WATCH)
    phone.touch("#camera")
    phone.touch("#camera-phone")
    phone.wait(HAS, ".phone [role=status]", "Not calibrated", seconds=20)
    points = {"size": marks.pop("size"), "points": marks}
    # The marks are of this picture.
    phone.run("return fetch('/api/camera/still').then(answer => answer.ok)")
    checked = phone.run(POST, "/api/camera/check", points | {"snap": True})
    chosen = points | {"points": checked["marks"], "lines": checked["lines"], "confirmed": checked["camera"]}
    saved = phone.run(POST, "/api/camera/calibrate", chosen)
    if "error" in saved:
        sys.exit(f"the calibration was not saved: {saved}")
    phone.wait(HAS, ".phone [role=status]", "The player is seen", seconds=60)
    time.sleep(SETTLE)
    return phone


def measure_phone(box, phone, sink, seconds):
    phone.run("window.callbacks.length = 0")
    sink.positions.clear()
    before = taken(box)
    began = time.monotonic()
    cost = share(seconds, box.web, box.camera)
    length = time.monotonic() - began
    rate = (taken(box) - before) / length
    frames = phone.run("return window.callbacks")
    return {"delays": delays(frames, list(sink.positions)), "rate": rate, "cost": cost}


def delays(frames, positions):
    """Seconds from a frame's callback to its position: the frame is the one whose picture was taken when that says."""
    found = []
    for came, was_taken in positions:
        callback, at = min(frames, key=lambda frame: abs(frame[1] / 1000 - was_taken))
        # Half of the time between two pictures of the camera.
        if abs(at / 1000 - was_taken) < 0.017:
            found.append(came - callback / 1000)
    if len(found) < len(positions) / 2:
        sys.exit(f"of {len(positions)} positions only {len(found)} have a frame")
    return found


def taken(box):
    status = json.loads(box.ballmachine("status", "--json", program="ballmachine-camera"))
    return status["frames"]["taken"]


def share(seconds, *processes):
    """What they use of a processor, meanwhile."""
    before = [Usage(process.identifier) for process in processes]
    time.sleep(seconds)
    return sum(Usage(process.identifier).since(old)["processor"] for process, old in zip(processes, before))


def table(live, of_film, seconds):
    half, most = (percentile(live["delays"], percent) * 1000 for percent in (50, 95))
    ratio = live["cost"] / of_film
    return [
        "| measure | value | must reach | reached |",
        "| --- | --: | --- | --- |",
        f"| from a video frame's callback to its position, p50 of {len(live['delays']):,} | {half:.0f} ms |  |  |",
        f"| the same, p95 | {most:.0f} ms | ≤ 150 ms | {said(most <= 150)} |",
        f"| pictures a second that the finder takes, over {seconds} s | {live['rate']:.1f} | ≥ 14.5 "
        f"| {said(live['rate'] >= 14.5)} |",
        f"| processor of `ballmachine-web` and `ballmachine-camera` | {live['cost']:.2%} |  |  |",
        f"| of `ballmachine-camera` with the same film from a file | {of_film:.2%} |  |  |",
        f"| the one by the other | {ratio:.2f} | ≤ 1.3 | {said(ratio <= 1.3)} |",
    ]


if __name__ == "__main__":
    sys.exit(main())
