"""The same on the real stack: how long a write takes, and how soon a lost link is back.

Runs in the machine of tools/real-stack/run.
"""

import argparse
import contextlib
import json
import os
import socket
import statistics
import sys
import time
from pathlib import Path

from .processes import Process, parsed
from .stage import Service, Tools, act, address

ROUNDS = 3
WRITES = 40
DROPS = 4
# bluetoothd and the peer in an emulated machine: seconds for what takes milliseconds elsewhere.
TIMEOUT = 300


class SystemBus:
    """The bus that is there already."""

    def __init__(self):
        self.environment = {}


class Peer:
    """The ball machine's control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.answers = self.socket.makefile("r")

    def tell(self, line):
        """Returns when it is done."""
        self.socket.sendall(line.encode() + b"\n")
        for answer in self.answers:
            told = parsed(answer) or {}
            if told.get("event") == "done":
                return
            if told.get("event") == "error":
                raise SystemExit(f"{line}: {told.get('message')}")
        raise SystemExit("the peer has gone")


def main():
    parser = argparse.ArgumentParser()
    for path in ("peers", "python", "program", "bench"):
        parser.add_argument(f"--{path}", type=Path)
    options = parser.parse_args()
    tools = Tools(Path(), options.peers, options.python, options.program, options.bench, Path(), Path())
    bus = SystemBus()
    peer = Peer(os.environ["BALLMACHINE_REAL_STACK"] + "/peer.sock")
    peer.tell(f"machine {address(0)} name BallMachine profile 2 flags write")
    with Service(tools, bus, *Service.of(0)) as service:
        # From here on BlueZ knows it.
        service.ready()
    writes = {"ours": [], "bleak": []}
    recoveries = {"ours": [], "bleak-retry-connector": []}
    for _ in range(ROUNDS):
        for name, command in {"ours": [tools.bench], "bleak": tools.subjects["bleak"]}.items():
            result = act(command, ["write", WRITES], bus, timeout=TIMEOUT)
            writes[name].append(statistics.median(result["samples"]))
        recoveries["ours"] += recover(peer, [tools.bench])
        recoveries["bleak-retry-connector"] += recover(
            peer, tools.subjects["bleak-retry-connector"]
        )
    print(json.dumps({"writes": writes, "recoveries": recoveries}))
    for line in table(writes, recoveries):
        print("table " + line)


def recover(peer, command):
    """From each loss of the link until a command has got through again, in seconds."""
    durations = []
    process = Process([*command, "keep"])
    try:
        _, place = process.wait_for(written, timeout=TIMEOUT)
        for _ in range(DROPS):
            # A link that has just been made settles: its parameters are negotiated.
            time.sleep(2)
            dropped = time.monotonic()
            peer.tell(f"drop {address(0)}")
            instant, place = process.wait_for(written, place, TIMEOUT)
            durations.append(instant - dropped)
    finally:
        process.result()
    return durations


def written(line):
    return (parsed(line) or {}).get("written")


def table(writes, recoveries):
    def milliseconds(seconds):
        return f"{seconds * 1e3:.0f} ms"

    yield "| measure | bleak | bleak-retry-connector | ours | ours / theirs |"
    yield "| --- | --: | --: | --: | --: |"
    bleak, ours = (statistics.median(writes[name]) for name in ("bleak", "ours"))
    ratio = statistics.median(one / two for one, two in zip(writes["ours"], writes["bleak"]))
    yield (
        f"| write with response, p50 | {milliseconds(bleak)} | – | {milliseconds(ours)} | {ratio:.2f} |"
    )
    for measure, of_all in {"median": statistics.median, "worst": max}.items():
        retry = of_all(recoveries["bleak-retry-connector"])
        ours = of_all(recoveries["ours"])
        yield (
            f"| from a lost link to a command that gets through, {measure} | – | {milliseconds(retry)}"
            f" | {milliseconds(ours)} | {ours / retry:.2f} |"
        )


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
