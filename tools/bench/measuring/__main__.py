"""Measures everything, and says what it has seen. tools/bench/run sets it up and starts it."""

import argparse
import dataclasses
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from . import measures, table, together
from .stage import Tools, machine_description


# Paths of Tools, in its order.
PARTS = ("build", "peers", "python", "program", "bench", "timer", "sight")


def main():
    options = parse()
    load = os.getloadavg()[0]
    started = time.monotonic()
    tools = Tools(*(getattr(options, name) for name in PARTS))
    seen = measure(tools, measures.FULL if options.full else measures.QUICK)
    rows = table.rows(seen)
    for line in table.plain(rows):
        print(line)
    for name, failures in tools.notes.items():
        print(f"{name} failed {len(failures)} times: {failures[-1]}")
    for name, counts in tools.losses.items():
        print(f"{name} lost a reply in {len(counts)} rounds, after {counts} writes.")
    print(f"Measured in {time.monotonic() - started:.0f} s.")
    if load > 1:
        print(
            f"The box was busy: its load was {load:.1f} when it began. Try again when it is quiet."
        )
    if options.json:
        write_json(options, tools, seen, rows, load)
    if options.table:
        options.table.write_text("\n".join(table.markdown(rows)) + "\n")
    missed = [row for row in rows if row.reached is False]
    return 1 if missed else 0


def parse():
    parser = argparse.ArgumentParser(prog="tools/bench/run")
    parser.add_argument("--full", action="store_true")
    for path in ("json", "table", *PARTS):
        parser.add_argument(f"--{path}", type=Path)
    return parser.parse_args()


def measure(tools, plan):
    seen = {}
    say("writes")
    seen["writes"] = measures.writes(tools, plan)
    say("rest")
    refusal = measures.Refusal(tools, plan.refusal)
    seen["rest"] = measures.rest(tools, plan)
    say("recovery")
    seen["starts"] = measures.starts(tools, plan)
    seen["restarts"] = measures.restarts(tools, plan)
    seen["drift"] = measures.drift(tools)
    seen["refusals"] = {"ours": refusal.connects()}
    say("service")
    seen["service"] = measures.service(tools, plan)
    say("together")
    seen["together"] = together.memory_of_all(tools)
    if plan.peers_refused:
        say("refusal")
        seen["refusals"] |= measures.refusals(tools, plan)
    return seen


def say(what):
    if sys.stderr.isatty():
        print(f"measuring: {what}", file=sys.stderr)


def write_json(options, tools, seen, rows, load):
    result = {
        "mode": "full" if options.full else "quick",
        "machine": machine_description(),
        "load": load,
        "versions": versions(tools),
        "failures": tools.notes,
        "losses": tools.losses,
        "rows": [dataclasses.asdict(row) for row in rows],
        "seen": seen,
    }
    options.json.write_text(json.dumps(result, indent=1) + "\n")


def versions(tools):
    found = {"python": platform.python_version()}
    for name in ("bleak", "bleak-retry-connector", "dbus-fast", "simplepyble"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = None
    for name, command in {
        "ballmachine": [tools.program, "--version"],
        "dbus-daemon": ["dbus-daemon", "--version"],
        "compiler": ["cc", "--version"],
        "libdbus": ["pkg-config", "--modversion", "dbus-1"],
    }.items():
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        found[name] = output.partition("\n")[0]
    return found


if __name__ == "__main__":
    os.environ["PYTHONUNBUFFERED"] = "1"
    sys.exit(main())
