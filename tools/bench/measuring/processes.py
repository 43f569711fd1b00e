"""Other processes, and the kernel's data about them."""

import atexit
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path


class Process:
    """A program whose output is read line by line while it runs."""

    def __init__(self, command, environment=None):
        self.lines = []
        self.changed = threading.Condition()
        self.process = subprocess.Popen(
            [str(word) for word in command],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.readers = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        self.errors = ""
        for reader in self.readers:
            reader.start()
        # However the measurement ends, no process stays behind.
        atexit.register(self._kill)

    def _kill(self):
        if self.process.poll() is None:
            self.process.kill()

    @property
    def identifier(self):
        return self.process.pid

    def _read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()
        with self.changed:
            self.lines.append(None)
            self.changed.notify_all()

    def _read_errors(self):
        self.errors = self.process.stderr.read()

    def wait_for(self, wanted, after=0, timeout=30):
        """The first line from a place on of which something is wanted, and the place behind it."""
        end = time.monotonic() + timeout
        with self.changed:
            while True:
                for place in range(after, len(self.lines)):
                    line = self.lines[place]
                    if line is None:
                        raise Failure(self._last_words())
                    result = wanted(line)
                    if result:
                        return result, place + 1
                after = len(self.lines)
                if not self.changed.wait(end - time.monotonic()):
                    raise Failure(f"{self._name} said nothing of it in {timeout} s")

    def send(self, number):
        self.process.send_signal(number)

    def end(self, number=signal.SIGTERM, timeout=20):
        """Ends it, and returns all that it has said."""
        if number is not None and self.process.poll() is None:
            self.process.send_signal(number)
        return self.result(timeout)

    def result(self, timeout=120):
        """What it has said when it has ended; it reads the end of its input at once."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure(f"{self._name} did not end in {timeout} s") from None
        for reader in self.readers:
            reader.join()
        return [line for line in self.lines if line is not None]

    @property
    def _name(self):
        return " ".join(Path(word).name for word in self.process.args[:3])

    def _last_words(self):
        self.readers[1].join(1)
        words = self.errors.strip().splitlines()
        return f"{self._name}: {words[-1] if words else 'ended too early'}"


class Failure(Exception):
    """Something could not be measured; says why."""


def event(**wanted):
    """What `wait_for` wants for a JSON object with these values."""

    def matches(line):
        value = parsed(line)
        return value if value and all(value.get(key) == wanted[key] for key in wanted) else None

    return matches


def parsed(line):
    try:
        value = json.loads(line)
    except json.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


class Usage:
    """What the threads of a process have used up to one moment."""

    def __init__(self, process):
        self.time = time.monotonic()
        self.threads = {
            task.name: (
                # Nanoseconds on a processor, see proc(5).
                int((task / "schedstat").read_text().split()[0]),
                int(status(task / "status")["voluntary_ctxt_switches"]),
            )
            for task in Path(f"/proc/{process}/task").iterdir()
        }

    def since(self, earlier):
        """The share of a processor, and how often a thread has waited and was woken."""
        seconds = self.time - earlier.time
        nanoseconds = wakeups = 0
        for name, (runtime, waits) in self.threads.items():
            before = earlier.threads.get(name, (0, 0))
            nanoseconds += runtime - before[0]
            wakeups += waits - before[1]
        # A thread that has gone since was woken for it.
        wakeups += len(earlier.threads.keys() - self.threads.keys())
        return {"processor": nanoseconds / 1e9 / seconds, "wakeups": wakeups, "seconds": seconds}


def status(path):
    pairs = (line.partition(":") for line in Path(path).read_text().splitlines())
    return {key: value.strip() for key, _, value in pairs}


def memory(process):
    """Resident bytes: all, those of no file, those that only it has and has written, and with shared pages
    divided by sharers."""
    values = status(f"/proc/{process}/status")
    shared = status(f"/proc/{process}/smaps_rollup")
    kibibytes = {
        "resident": values["VmRSS"],
        "own": values["RssAnon"],
        "private": shared["Private_Dirty"],
        "proportional": shared["Pss"],
    }
    return {key: int(value.split()[0]) * 1024 for key, value in kibibytes.items()}
