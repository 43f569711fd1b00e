"""How well the player is found in real clips, against labels by eye. tools/bench/sight --real starts it."""

import argparse
import collections
import json
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .percentile import percentile
from .sight_films import CONDITIONS, EMPTY, Clip

# Further from the label, in metres, is another person or nobody.
FAR = 1.5
# From the clip's beginning on, in seconds: what was just seen for the first time is not yet believed.
SETTLED = 1.0
# What isn't further in time from a label than a frame of the clip is, in seconds.
NEAR = 1 / 25
TARGETS = {"tracked": 99.0, "p95": 0.45}


@dataclass
class Score:
    """What came of a clip under one condition, or of several."""

    labels: int = 0
    errors: list = field(default_factory=list)
    frames: int = 0
    tracked: int = 0
    silenced: collections.Counter = field(default_factory=collections.Counter)
    # Frames in which a place is named while nobody plays.
    nobody: int = 0
    # Whether the player must be found; otherwise only what is named must be true.
    findable: bool = True

    def add(self, other):
        self.labels += other.labels
        self.errors += other.errors
        self.frames += other.frames
        self.tracked += other.tracked
        self.silenced += other.silenced
        self.nobody += other.nobody

    @property
    def share(self):
        return 100 * self.tracked / self.frames if self.frames else 100.0

    @property
    def far(self):
        return sum(error > FAR for error in self.errors)

    def missed(self):
        """The targets that are missed."""
        missed = []
        if self.findable and self.share < TARGETS["tracked"]:
            missed.append("tracked")
        if self.findable and self.errors and percentile(self.errors, 95) > TARGETS["p95"]:
            missed.append("p95")
        if self.far:
            missed.append("far")
        if self.nobody:
            missed.append("nobody")
        if self.silenced["wet-court"]:
            missed.append("wet")
        return missed

    def row(self, *names):
        def metres(value):
            return f"{value:.2f}"

        p50, p95, worst = "–", "–", "–"
        if self.errors:
            p50, p95 = (metres(percentile(self.errors, share)) for share in (50, 95))
            worst = metres(max(self.errors))
        doubts = ", ".join(f"{code} {count}" for code, count in self.silenced.most_common())
        cells = [*names, f"{len(self.errors)} of {self.labels}", p50, p95, worst, f"{self.share:.1f}",
                 str(self.far), str(self.nobody), doubts, ", ".join(self.missed())]
        return f"| {' | '.join(cells)} |"


HEAD = [
    "| condition | clip | labels named | p50 m | p95 m | worst m | tracked % | > 1.5 m | nobody | silenced by | missed |",
    "| :-- | :-- | --: | --: | --: | --: | --: | --: | --: | :-- | :-- |",
]


def score(clip, condition, lines, places):
    """Compares the lines of `Sight seen` with the labels."""
    rate = clip.fps / clip.step(condition)
    before = round(EMPTY * rate) if condition.warm else 0
    seen = {}
    result = Score(findable=condition.findable)
    for number, line in enumerate(lines[before:]):
        time = number / rate
        words = line.split()
        place = tuple(map(float, words[3:5])) if words[0] == "player" else None
        seen[time] = place
        if any(first <= time <= last for first, last in clip.nobody):
            result.nobody += place is not None
        # A cold start learns the court for two seconds.
        elif time >= SETTLED + (0 if condition.warm else 2):
            result.frames += 1
            result.tracked += place is not None
            if not place:
                result.silenced[words[0]] += 1
    for time, label in places.items():
        nearest = min(seen, key=lambda other: abs(other - time))
        if abs(nearest - time) > NEAR or not condition.warm and time < 2 + SETTLED:
            continue
        result.labels += 1
        if seen[nearest]:
            result.errors.append(math.dist(seen[nearest], label))
    return result


def run(*command):
    process = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if process.returncode:
        sys.exit(f"{Path(command[0]).name} ended with {process.returncode}: {process.stderr.strip()}")
    return process.stdout.splitlines()


def differences(program, clip, film, rate, lines):
    """Positions of the program itself that aren't those of `Sight seen`."""
    lines_of_program = run(program, "run", "--from-file", film, "--fast", "--json", "--rate", round(rate),
                           "--calibration", clip.court)
    points = [json.loads(line) for line in lines_of_program]
    named = [(point["u"], point["v"]) for point in points if "u" in point]
    expected = [tuple(round(float(word), 1) for word in line.split()[1:3]) for line in lines
                if line.startswith("player")]
    return abs(len(named) - len(expected)) + sum(
        math.dist(one, other) > 0.11 for one, other in zip(named, expected, strict=False))


def main():
    parser = argparse.ArgumentParser(prog="tools/bench/sight")
    for path in ("sight", "program", "folder", "films"):
        parser.add_argument(f"--{path}", type=Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    labels = json.loads((options.folder / "labels.json").read_text())
    clips = [Clip(options.folder, name, of) for name, of in labels.items()
             if (options.folder / f"{name}.mp4").exists()]
    if not clips:
        sys.exit(f"{options.folder} has no clip that labels.json names")
    print("\n".join(HEAD), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        return judge(options, clips, Path(scratch))


def judge(options, clips, scratch):
    total = Score()
    places = {}
    for clip in clips:
        points = [f"{u},{v}" for u, v in clip.feet.values()]
        answers = run(options.sight, "places", clip.court, *points)
        places[clip.name] = {time: tuple(map(float, answer.split()))
                             for time, answer in zip(clip.feet, answers, strict=True)}
    for condition in CONDITIONS:
        if options.quick and not condition.quick:
            continue
        for clip in clips:
            film = (options.films or scratch) / f"{clip.name} {condition.name.replace('/', ' ')}.mjpeg"
            if not film.exists():
                clip.write(condition, film, scratch)
            # The program takes a whole number of frames a second.
            rate = clip.fps / clip.step(condition)
            lines = run(options.sight, "seen", film, clip.court, rate)
            one = score(clip, condition, lines, places[clip.name])
            print(one.row(condition.name, clip.name), flush=True)
            if condition.name == "as given" and options.program and rate == round(rate):
                other = differences(options.program, clip, film, rate, lines)
                if other:
                    print(f"{clip.name}: ballmachine-camera names {other} places otherwise", file=sys.stderr)
            if condition.findable:
                total.add(one)
            if not options.films:
                film.unlink()
    print(total.row("all", "all"))
    return 1 if total.missed() else 0


if __name__ == "__main__":
    sys.exit(main())
