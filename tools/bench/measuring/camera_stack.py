"""From a frame to a position, with the kernel's real Video4Linux, and how many frames are lost.

Runs in the machine of tools/real-stack/run, with the cameras of guest/cameras. tools/bench/camera starts it.
"""

import argparse
import bisect
import contextlib
import fcntl
import os
import statistics
import struct
import sys
import tempfile
import time
from pathlib import Path

from .percentile import percentile
from .processes import Failure, Process, parsed

RUNS = 3
RATE = 15
SIZE = (640, 360)
# v4l2loopback, which shows what is written to it.
CAMERA = "/dev/video10"
# The court is learnt, and the player has entered.
FIRST = 8 * RATE
# Seconds for the program to start in the emulated machine.
START = 60
# See linux/videodev2.h.
VIDIOC_S_FMT = 0xC0D05605
VIDEO_OUTPUT = 2
FIELD_NONE = 1
END = b"\xff\xd9"


def main():
    parser = argparse.ArgumentParser()
    for path in ("program", "folder"):
        parser.add_argument(f"--{path}", type=Path)
    options = parser.parse_args()
    frames = film((options.folder / "film.mjpeg").read_bytes())
    command = [options.program, "camera", "run", "--json", "--device", CAMERA]
    command += ["--calibration", options.folder / "court.yaml"]
    latencies = []
    wanted = 0
    for _ in range(RUNS):
        latencies += run(command, frames)
        wanted += len(frames) - FIRST
    lines = list(table(latencies, wanted))
    for line in lines:
        print("table " + line)
    return 1 if any(line.endswith("NO |") for line in lines) else 0


def film(data):
    # A JPEG's own bytes have a 0 behind each 0xFF.
    frames = [frame + END for frame in data.split(END) if frame]
    if any(not frame.startswith(b"\xff\xd8") for frame in frames):
        sys.exit("the film isn't one of JPEGs")
    return frames


def run(command, frames):
    """For each frame that became a position, how long after it was shown, in seconds."""
    with open(CAMERA, "r+b", buffering=0) as camera, tempfile.TemporaryDirectory() as folder:
        feed(camera)
        # A camera that was never written to has no format to open it with.
        camera.write(frames[0])
        process = Timed(command, {"BALLMACHINE_CAMERA_DIR": folder})
        process.wait_for_camera()
        shown = show(camera, frames)
        # The last frame's position.
        time.sleep(1)
        process.end()
    latencies = {}
    for instant, line in zip(process.times, process.lines):
        position = parsed(line or "")
        if not position or "u" not in position:
            continue
        # The frame's time is when the driver had it, a moment after that.
        frame = bisect.bisect_right(shown, position["t"]) - 1
        if frame >= FIRST:
            latencies.setdefault(frame, instant - shown[frame])
    return list(latencies.values())


class Timed(Process):
    """A program of whose lines the times are known."""

    def __init__(self, command, environment):
        self.times = []
        super().__init__(command, environment)

    def wait_for_camera(self):
        """Until it has opened the camera."""
        end = time.monotonic() + START
        while not self._has_camera():
            if self.process.poll() is not None:
                raise Failure(self._last_words())
            if time.monotonic() > end:
                raise Failure(f"{self._name} did not open {CAMERA} in {START} s")
            time.sleep(0.1)

    def _has_camera(self):
        # A file may be closed while it is looked at.
        with contextlib.suppress(FileNotFoundError):
            files = Path(f"/proc/{self.identifier}/fd").iterdir()
            return any(os.readlink(file) == CAMERA for file in files)
        return False

    def _read(self):
        for line in self.process.stdout:
            self.times.append(time.monotonic())
            with self.changed:
                self.lines.append(line)
                self.changed.notify_all()


def feed(camera):
    width, height = SIZE
    code = int.from_bytes(b"MJPG", "little")
    form = bytearray(208)
    struct.pack_into("=I4x4I", form, 0, VIDEO_OUTPUT, width, height, code, FIELD_NONE)
    fcntl.ioctl(camera, VIDIOC_S_FMT, form)


def show(camera, frames):
    """Writes all frames in real time; returns when each was."""
    shown = []
    start = time.monotonic()
    for number, frame in enumerate(frames):
        time.sleep(max(0, start + number / RATE - time.monotonic()))
        shown.append(time.monotonic())
        os.write(camera.fileno(), frame)
    return shown


def table(latencies, wanted):
    slow = percentile(latencies, 95)
    lost = wanted - len(latencies)
    yield "| measure | p50 | p95 | worst | must reach | reached |"
    yield "| --- | --: | --: | --: | --- | --- |"
    yield (
        f"| from a frame to its position, {RATE} frames a second "
        f"| {1e3 * statistics.median(latencies):.0f} ms | {1e3 * slow:.0f} ms | {1e3 * max(latencies):.0f} ms "
        f"| p95 ≤ 100 ms | {'yes' if slow <= 0.1 else 'NO'} |"
    )
    yield f"| frames without a position, of {wanted:,} | {lost} |  |  | 0 | {'yes' if lost == 0 else 'NO'} |"


if __name__ == "__main__":
    sys.exit(main())
