"""What finding the player costs, beside OpenCV's mixture of Gaussians. tools/bench/camera starts it."""

import argparse
import os
import statistics
import subprocess
import sys
import threading
from pathlib import Path

from . import ratio
from .processes import status
from .table import said, say

MEGABYTE = 1024 * 1024
# Passes of the film of a minute.
HOUR = 60


class Run:
    """A program that ended well: its output, seconds of processor, and resident memory on the way."""

    def __init__(self, command, output=subprocess.PIPE):
        self.memory = []
        process = subprocess.Popen([str(word) for word in command], stdout=output)
        ended = threading.Event()
        watch = threading.Thread(target=self._watch, args=(process.pid, ended))
        watch.start()
        self.output = process.stdout.read() if process.stdout else b""
        # The process is still there to be looked at until it is waited for.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        ended.set()
        watch.join()
        _, code, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(code)
        if process.returncode:
            sys.exit(f"{Path(command[0]).name} ended with {process.returncode}")
        self.seconds = usage.ru_utime + usage.ru_stime

    def _watch(self, identifier, ended):
        while not ended.wait(0.1):
            # One that has ended has no memory.
            size = status(f"/proc/{identifier}/status").get("VmRSS")
            if size:
                self.memory.append(int(size.split()[0]) * 1024)


def main():
    parser = argparse.ArgumentParser(prog="tools/bench/camera")
    for path in ("program", "mog2", "sight", "folder", "table"):
        parser.add_argument(f"--{path}", type=Path)
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    film = options.folder / "film.mjpeg"
    ours = [options.program, "camera", "run", "--json", "--fast", "--from-file", film]
    ours += ["--calibration", options.folder / "court.yaml"]
    rounds = []
    for number in range(options.rounds):
        mine = Run(ours)
        theirs = Run([options.mog2, film, 1])
        frames, mixture = theirs.output.split()
        frames = int(frames)
        _, small = Run([options.mog2, film, 4]).output.split()
        _, decoding, finding, checking, _ = Run([options.sight, "cost", options.folder]).output.split()
        if mine.output.count(b'"u"') < frames / 2:
            sys.exit("ballmachine-camera found the player in too few frames")
        seconds = [mine.seconds, theirs.seconds]
        seconds += [float(text) for text in (mixture, small, finding, decoding, checking)]
        costs = [1000 * cost / frames for cost in seconds]
        rounds.append((costs, mine.memory[-1], theirs.memory[-1]))
        say(f"round {number + 1}: {' '.join(f'{cost:.2f}' for cost in costs)} ms a frame")
    say(f"{HOUR * frames} frames")
    hour = Run([*ours, "--repeat", HOUR], output=subprocess.DEVNULL)
    # The allocator takes a step of some 100 KB now and then, in the first half; a leak goes on.
    half = len(hour.memory) // 2
    growth = max(hour.memory[half:]) - max(hour.memory[:half])
    say(f"resident in KB, each twelfth: {[size // 1024 for size in hour.memory[:: half // 6]]}")
    lines = table(rounds, hour.memory[-1], growth, HOUR * frames)
    print("\n".join(lines))
    if options.table:
        options.table.write_text("\n".join(lines) + "\n")
    return 1 if any(line.endswith("NO |") for line in lines) else 0


def table(rounds, resident, growth, frames):
    def cost(index):
        return f"{statistics.median(costs[index] for costs, _, _ in rounds):.2f} ms"

    def compared(index, ours=0):
        return ratio.of_medians([costs[ours] / costs[index] for costs, _, _ in rounds])

    def megabytes(size):
        return f"{size / MEGABYTE:.1f} MB"

    whole, mixture, finder = compared(1), compared(2), compared(3, ours=4)
    mine = max(size for _, size, _ in rounds)
    theirs = max(size for _, _, size in rounds)
    return [
        "| measure | MOG2 | ours | ours / MOG2 | must reach | reached |",
        "| --- | --: | --: | --: | --- | --- |",
        f"| processor a frame | {cost(1)} | {cost(0)} | {whole} | ≤ 0.3 × MOG2 | {said(whole.reached(0.3))} |",
        f"| the same, MOG2 without decoding | {cost(2)} | {cost(0)} | {mixture} |  |  |",
        f"| the finder alone, MOG2 alone at 320 × 180 | {cost(3)} | {cost(4)} | {finder} | ≤ 0.5 × MOG2 "
        f"| {said(finder.reached(0.5))} |",
        f"| of it all, decoding the small picture | – | {cost(5)} | {compared(0, ours=5)} of ours |  |  |",
        f"| of it all, a look each second whether the camera has moved | – | {cost(6)} "
        f"| {compared(0, ours=6)} of ours |  |  |",
        f"| resident memory | {megabytes(theirs)} | {megabytes(mine)} | – | ≤ 40 MB "
        f"| {said(mine <= 40 * MEGABYTE)} |",
        f"| the same after {frames:,} frames | – | {megabytes(resident)} | – | ≤ 40 MB "
        f"| {said(resident <= 40 * MEGABYTE)} |",
        f"| its highest in the second half above that in the first | – | {growth / 1024:.0f} KB | – | ≤ 256 KB "
        f"| {said(growth <= 256 * 1024)} |",
    ]


if __name__ == "__main__":
    sys.exit(main())
