"""Which brokers carry a court: the project's own programs at each, step by step.

tools/bench/fleet --brokers starts it.
"""

import argparse
import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from box import Box

from .brokers import PASSWORD, Amqtt, Ejabberd, RabbitMQ, Rumqttd, System
from .mqtt import CONNECT, CONNECTED, Client, packet, text
from .processes import Failure, parsed
from .shipped import Mosquitto
from .table import said, say

COURT = b"ballmachine/court-1/"
DEBIANS = {"bookworm": "12", "trixie": "13", "testing": "testing"}
PATIENCE = 30
AWAY = 90
MOMENT = 2
# More than a refused box lets pass before it asks again.
SECOND_THOUGHTS = 8
# What such a box says before it takes the court.
UNKNOWN = "does not know whose"
LONGEST = 30 * 60
VERSIONS = {4: "3.1.1", 5: "5"}
# What is tried, in order; a court that never came online can't be tried further.
ONLINE, SEEN, STOPPED, GONE, REFUSED, WILDCARD, BACK = COLUMNS = (
    "online", "seen by `status`", "stop `confirmed`", "`offline` after `kill -9`", "a second box is refused",
    "retained by wildcard", "back after its restart")
NOT_TRIED = "not tried"


def main():
    parser = argparse.ArgumentParser(prog="tools/bench/fleet --brokers")
    for path in ("programs", "systems", "project", "table"):
        parser.add_argument(f"--{path}", type=Path)
    parser.add_argument("--only", help="of those whose names begin so")
    options = parser.parse_args()
    # Each end is by way of the `with' blocks, which end the processes.
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, lambda number, _: sys.exit(f"ended by {signal.Signals(number).name}"))
    signal.alarm(LONGEST)
    trials = []
    for broker in brokers(options):
        if broker.title.startswith(options.only or ""):
            trials.append(Trial(options.programs, broker))
            trials[-1].run()
    lines = table(trials)
    print("\n".join(lines))
    if options.table:
        options.table.write_text("\n".join(lines) + "\n")
    return 0 if all(trial.is_good for trial in trials if isinstance(trial.broker, Mosquitto)) else 1


def brokers(options):
    systems = {name: System(options.systems / name, debian) for name, debian in DEBIANS.items()}
    programs = options.systems / "python/bin"
    yield from (Mosquitto(system, options.project) for system in systems.values())
    yield from (RabbitMQ(system) for system in systems.values())
    yield RabbitMQ(systems["trixie"], nodes=2)
    yield Ejabberd(systems["trixie"])
    yield Amqtt(programs)
    yield Rumqttd(programs)


class Guest(Client):
    """Not every broker takes a client without keepalive. It says nothing so long that it would need another packet."""

    keepalive = 600


class Trial:
    def __init__(self, programs, broker):
        self.programs = programs
        self.broker = broker
        self.cells = dict.fromkeys(COLUMNS, NOT_TRIED)
        self.versions = ""
        self.notes = []

    @property
    def is_good(self):
        return all(cell.startswith("yes") for cell in self.cells.values()) and len(self.notes) == 1

    def run(self):
        begin = time.monotonic()
        try:
            with Box(self.programs) as self.box, self.broker:
                self.ask()
                self.act()
                self.notes += self.broker.notes()
        except Failure as failure:
            self.notes.append(f"the trial ended early: {failure}")
        cells = ", ".join(f"{name}: {cell}" for name, cell in self.cells.items())
        say(f"{self.broker.title}: {cells}; {'; '.join(self.notes)} ({time.monotonic() - begin:.0f} s)")

    def attempt(self, column, action):
        """A step that fails is a `no', and the next one is tried."""
        begin = time.monotonic()
        try:
            result = action()
            self.cells[column] = result if isinstance(result, str) else said(result).lower()
        except (Failure, OSError, AssertionError, subprocess.TimeoutExpired) as failure:
            say(f"{self.broker.title}, {column}: {failure}")
            self.cells[column] = "no"
        return time.monotonic() - begin

    # The broker alone

    def ask(self):
        """What it says to a client of each version, and what it gives to one that subscribes late."""
        answers = {level: answer(self.broker, level) for level in VERSIONS}
        self.versions = ", ".join(VERSIONS[level] for level, words in answers.items() if words is None) or "none"
        self.notes += [f"{words} MQTT {VERSIONS[level]}" for level, words in answers.items() if words]
        self.attempt(WILDCARD, self.keeps)

    def keeps(self):
        topic = COURT + b"version"
        port, other = self.broker.probe_port, self.broker.other_port if self.broker.probe_port == self.broker.port else None
        with Guest(port, "court", user=self.broker.user("court-1")) as court:
            court.publish(topic, b"probe")
            court.messages()
            exact = self.kept(port, topic, topic)
            wildcard = self.kept(port, COURT + b"#", topic)
            elsewhere = other in (None, port) or self.kept(other, topic, topic)
            court.publish(topic, b"")
            court.messages()
        if not exact:
            self.notes.append("it keeps no message")
        elif not wildcard:
            self.notes.append("a retained message comes by its exact topic alone")
        if not elsewhere:
            self.notes.append("a node doesn't have what the other one keeps")
        return wildcard

    def kept(self, port, wanted, topic):
        with Guest(port, "late", user=self.broker.user("office")) as late:
            late.subscribe(wanted)
            with contextlib.suppress(Failure):
                late.wait_for(topic, lambda payload: payload == b"probe", MOMENT)
                return True
        return False

    # A court, its office and a second box

    def act(self):
        with self.watch() as watch:
            court = self.start("first", self.broker.port)
            self.attempt(ONLINE, lambda: watch(b"online", PATIENCE))
        if self.cells[ONLINE] == "no":
            return self.end(court)
        self.attempt(SEEN, lambda: self.until_seen(MOMENT + 3))
        self.note_problems()
        self.attempt(STOPPED, self.stop)
        self.attempt(GONE, lambda: self.kill(court))
        with self.watch() as watch:
            court = self.start("first", self.broker.port)
            watch(b"online", AWAY)
        self.attempt(REFUSED, self.second)
        self.attempt(BACK, self.restart)
        self.end(court)

    def folder(self, name, port):
        folder = self.box.folder / f"mqtt-{name}"
        folder.mkdir(exist_ok=True)
        lines = ["broker:", "  host: 127.0.0.1", f"  port: {port}"]
        if self.broker.has_users:
            (folder / "password").write_text(PASSWORD)
            (folder / "password").chmod(0o600)
            lines += ["  user: court-1", "  password-file: password"]
        if self.broker.authority:
            lines += ["tls:", f"  ca: {self.broker.authority}"]
        (folder / "mqtt.yaml").write_text("\n".join([*lines, "fleet:", "  court: court-1", ""]))
        return folder

    def start(self, name, port):
        folder = self.folder(name, port)
        return self.box.start("ballmachine-mqtt", "run", "--config", folder / "mqtt.yaml", BALLMACHINE_MQTT_DIR=str(folder))

    def end(self, process):
        self.box.end(process)

    @contextlib.contextmanager
    def watch(self):
        """Waits for what the court's availability becomes, by its own topic."""
        topic = COURT + b"availability"
        with Guest(self.broker.probe_port, "watch", user=self.broker.user("office")) as client:
            client.subscribe(topic)

            def wait(payload, timeout):
                return client.wait_for(topic, lambda value: value == payload, timeout) > 0

            yield wait

    def office(self, command, *words):
        """How a command of the office ends, and its records."""
        port = self.broker.port if self.broker.authority else self.broker.other_port
        options = ["--json", "--broker", f"127.0.0.1:{port}"]
        if self.broker.has_users:
            options += ["--user", "office", "--password-file", self.box.folder / "mqtt-first/password"]
        if self.broker.authority:
            options += ["--ca", self.broker.authority]
        return self.told(command, *options, *words)

    def told(self, *words, **environment):
        ended = subprocess.run([self.programs / "ballmachine-mqtt", *words], env=self.box.environment | environment,
                               text=True, capture_output=True, timeout=PATIENCE)
        return ended.returncode, [record for line in ended.stdout.splitlines() if (record := parsed(line))]

    def is_seen(self):
        _, records = self.office("status")
        return any(record.get("court") == "court-1" and record.get("isOnline") for record in records)

    def until_seen(self, seconds):
        end = time.monotonic() + seconds
        while not (is_seen := self.is_seen()) and time.monotonic() < end:
            time.sleep(0.2)
        return is_seen

    def note_problems(self):
        folder = self.box.folder / "mqtt-first"
        _, findings = self.told("doctor", "--json", "--config", folder / "mqtt.yaml", BALLMACHINE_MQTT_DIR=str(folder))
        codes = [finding["code"] for finding in findings if finding.get("verdict") == "problem"]
        if codes:
            self.notes.append(f"`doctor`: {', '.join(codes)}")

    def stop(self):
        self.box.reach("live")
        status, records = self.office("stop", "court-1")
        self.box.reach("disarmed")
        return status == 0 and any(record.get("outcome") == "confirmed" for record in records)

    def second(self):
        """Another box has the same name, and perhaps another node of the broker."""
        other = self.start("second", self.broker.other_port)
        first_refused, refused = (self.box.folder / f"mqtt-{name}/refused" for name in ("first", "second"))
        end = time.monotonic() + PATIENCE / 2
        while not refused.exists() and time.monotonic() < end:
            time.sleep(0.1)
        # It asks again, and may be told otherwise then.
        time.sleep(SECOND_THOUGHTS)
        self.end(other)
        if UNKNOWN in other.errors:
            self.notes.append("a box that was refused is told later that the court has no owner")
        with self.watch() as watch:
            return (refused.exists() and not first_refused.exists() and UNKNOWN not in other.errors
                    and watch(b"online", PATIENCE))

    def kill(self, court):
        with self.watch() as watch:
            watch(b"online", MOMENT)
            begin = time.monotonic()
            self.box.kill(court)
            watch(b"offline", PATIENCE)
            return f"yes, {max(0.1, time.monotonic() - begin):.1f} s"

    def restart(self):
        self.broker.end()
        self.broker.start()
        begin = time.monotonic()
        # What the broker has kept says nothing of the court; an outcome is never kept.
        with Guest(self.broker.probe_port, "again", user=self.broker.user("office")) as client:
            client.subscribe(COURT + b"stop/outcome")
            while time.monotonic() < begin + AWAY:
                client.publish(COURT + b"stop", b"", is_retained=False)
                with contextlib.suppress(Failure):
                    client.wait_for(COURT + b"stop/outcome", lambda payload: payload, 1)
                    return f"yes, {time.monotonic() - begin:.0f} s"
        return False


def answer(broker, level):
    """What is wrong with the broker's answer to a client of this version of MQTT."""
    user = broker.user("office")
    flags = 0x02 | (0xC0 if user else 0)
    properties = b"\0" if level == 5 else b""
    parts = [text(b"MQTT"), bytes([level, flags, 0, 30]), properties, text(b"asks"), *map(text, user or ())]
    with socket.create_connection(("127.0.0.1", broker.probe_port), MOMENT) as connection:
        connection.sendall(packet(CONNECT, *parts))
        try:
            said = connection.recv(256)
        except TimeoutError:
            return "silent on"
        except ConnectionResetError:
            said = b""
    if not said:
        return "hangs up on"
    return None if said[0] == CONNECTED and not said[3] else "refuses"


def table(trials):
    lines = [f"| broker | MQTT | {' | '.join(COLUMNS)} | seen there |", "| --- |" + " --- |" * (len(COLUMNS) + 2)]
    for trial in trials:
        cells = [trial.broker.title, trial.versions, *trial.cells.values(), "; ".join(trial.notes)]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"bench/fleet: {failure}")
