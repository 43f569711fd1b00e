"""The private bus, the mock on it, and those who are measured."""

import os
import signal
import socket
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from .processes import Failure, Process, event, parsed

READY_TIMEOUT = 60


def address(machine):
    return f"F0:F1:F2:F3:F4:{machine:02X}"


@dataclass
class Tools:
    """Where everything is that takes part."""

    build: Path
    peers: Path
    python: Path
    program: Path
    bench: Path
    timer: Path
    # What renders films.
    sight: Path
    # Who could not be measured, and why.
    notes: dict = field(default_factory=dict)
    # Who lost a reply in a round, and after how many writes.
    losses: dict = field(default_factory=dict)

    def note(self, name, failure):
        self.notes.setdefault(name, []).append(str(failure))

    @property
    def subjects(self):
        """Who is measured: a name, and the command that takes an action."""
        bleak = [self.python, self.peers / "bleak_peer.py"]
        return {
            "floor": [self.build / "floor"],
            "bleak": bleak,
            "bleak-retry-connector": [*bleak, "--retry"],
            "simplepyble": [self.python, self.peers / "simplepyble_peer.py"],
        }


class Bus:
    """A message bus of its own."""

    def __init__(self):
        command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
        self.process = Process(command)
        self.address, _ = self.process.wait_for(lambda line: line)
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": self.address}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.end()


class Mock:
    """The mock bluetoothd on a bus."""

    def __init__(self, tools, bus, *options):
        self.process = Process([tools.build / "mock", *options], bus.environment)
        line, _ = self.process.wait_for(lambda line: line.startswith("up ") and line)
        # In nanoseconds of CLOCK_MONOTONIC: its objects are there.
        self.up = int(line.split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.end()

    def flood(self):
        self.process.send(signal.SIGUSR1)

    def writes(self):
        """Of each write so far: its time in nanoseconds, the machine, the digits."""
        words = [
            line.split() for line in list(self.process.lines) if line and line.startswith("write")
        ]
        return [(int(time), machine, digits) for _, time, machine, digits in words]

    def counts(self):
        """Ends it."""
        words = self.process.end()[-1].split()
        return {name: int(number) for name, number in zip(words[::2], words[1::2])}


class Service:
    """`ballmachine serve`, as it is installed, in folders of its own."""

    def __init__(self, tools, bus, *options, state=None):
        self.own_folder = tempfile.TemporaryDirectory(prefix="ballmachine-bench-")
        run = Path(self.own_folder.name)
        self.socket = run / "positions.sock"
        self.started = time.monotonic()
        self.process = Process(
            [tools.program, "serve", "--json", *options],
            {
                **bus.environment,
                "BALLMACHINE_CONFIG": "/dev/null",
                "BALLMACHINE_RUNTIME_DIR": str(run),
                "BALLMACHINE_STATE_DIRECTORY": str(state or run / "state"),
            },
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    @staticmethod
    def of(machine):
        """The options that have it use this machine alone."""
        return ["--address", address(machine)]

    def ready(self, after=0):
        """The event that shows it, and the place behind it."""
        return self.process.wait_for(event(event="link", state="ready"), after, READY_TIMEOUT)

    def decisions(self):
        events = (parsed(line) for line in list(self.process.lines) if line)
        return [value for value in events if value and value.get("event") == "dispatch"]

    def feeder(self):
        feeder = socket.socket(socket.AF_UNIX)
        feeder.connect(str(self.socket))
        return feeder

    def end(self):
        try:
            return self.process.end()
        finally:
            self.own_folder.cleanup()


class Relay:
    """The floor as a bridge that decides nothing: a line on its socket is a write."""

    def __init__(self, tools, bus, machine):
        self.folder = tempfile.TemporaryDirectory(prefix="ballmachine-bench-")
        path = f"{self.folder.name}/socket"
        environment = {**bus.environment, "BENCH_MACHINE": str(machine)}
        self.process = Process([tools.build / "floor", "relay", path], environment)
        self.process.wait_for(lambda line: "ready" in line)
        self.feeder = socket.socket(socket.AF_UNIX)
        self.feeder.connect(path)

    def end(self):
        self.feeder.close()
        self.process.result()
        self.folder.cleanup()


class Feed:
    """Something that sees a player on many courts, so many times a second."""

    LINE = b'{"x": 4.1, "y": 9.8}\n'

    def __init__(self, feeders, rate):
        self.feeders = feeders
        self.interval = 1 / rate
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        due = time.monotonic()
        while not self.ending.wait(max(0, due - time.monotonic())):
            for feeder in self.feeders:
                feeder.sendall(self.LINE)
            due += self.interval

    def end(self):
        self.ending.set()
        self.thread.join()


def act(command, action, bus, machine=0, timeout=120):
    """Runs a program to its end, and returns its output."""
    environment = {**bus.environment, "BENCH_MACHINE": str(machine)}
    process = Process([*command, *action], environment)
    results = [result for result in map(parsed, process.result(timeout)) if result is not None]
    if process.process.returncode != 0 or not results:
        words = process.errors.strip().splitlines()
        raise Failure(words[-1] if words else f"it ended with {process.process.returncode}")
    return results[-1]


def machine_description():
    def first(path, key):
        lines = Path(path).read_text().splitlines()
        return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")

    return {
        "processor": first("/proc/cpuinfo", "model name"),
        "processors": os.cpu_count(),
        "memory": first("/proc/meminfo", "MemTotal"),
        "kernel": os.uname().release,
        "architecture": os.uname().machine,
    }
