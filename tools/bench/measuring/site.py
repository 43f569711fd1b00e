"""A site after a power failure: all its boxes and its broker come back at once."""

import contextlib
import re
import tempfile
import time
from pathlib import Path

from .mqtt import Broker, Client
from .processes import Failure, Process
from .table import said, say

COURTS = 30
# A broker may start up more slowly than the boxes, by so many seconds.
DELAYS = 0, 30, 60
LONGEST = 15
TIMEOUT = 120
# As shipped, but without TLS.
SHIPPED = "max_packet_size 65536", "max_queued_messages 100000", "set_tcp_nodelay true"
# What mosquitto logs of a client that it refuses, or takes for another one's successor.
REFUSAL = re.compile(r"Sending CONNACK to \S+ \(\d, [^0]|already connected|denied|not authori[sz]ed")
# What a box logs of a broker that refuses it, or that keeps it from its court.
COMPLAINT = re.compile("another box's|does not know whose|takes no clients|refuses")


class Site:
    """The boxes of a site, some with a bridge, and its broker."""

    def __init__(self, programs, folder, keeps, bridge=None):
        self.programs = programs
        self.folder = Path(folder)
        self.bridge = bridge or {}
        lines = [*SHIPPED, "log_type all", f"persistence {str(keeps).lower()}"]
        if keeps:
            # It takes what it keeps from the disk as the power has left it.
            lines += ["user root", f"persistence_location {folder}/", "autosave_interval 1", "autosave_on_changes true"]
        self.broker = Broker(*lines)
        self.processes = []
        self.complaints = []

    def start(self, round):
        """All boxes; each says which round it is, so that what a broker has kept is no answer."""
        for number in range(COURTS):
            box = self.folder / f"court-{number}"
            (box / "run").mkdir(parents=True, exist_ok=True)
            settings = box / "mqtt.yaml"
            settings.write_text(f"broker: {{host: 127.0.0.1, port: {self.broker.port}}}\n"
                                f"fleet: {{court: court-{number}, name: round {round}}}\n")
            places = {"BALLMACHINE_RUNTIME_DIR": str(box / "run")} | (self.bridge if number % 10 == 0 else {})
            self.processes.append(Process([self.programs / "ballmachine-mqtt", "run", "--config", settings],
                                          places | {"BALLMACHINE_MQTT_DIR": str(box)}))

    def whole(self, round):
        """Waits until each court is online with its state, and returns when."""
        seen = {number: set() for number in range(COURTS)}
        end = time.monotonic() + TIMEOUT
        with Client(self.broker.port, "office") as office:
            office.subscribe(b"ballmachine/#")
            while any(len(topics) < 3 for topics in seen.values()):
                if not office.has_more(end - time.monotonic()):
                    raise Failure(f"only {sum(len(topics) == 3 for topics in seen.values())} courts came back")
                for topic, payload in office.messages():
                    _, court, name = topic.decode().split("/", 2)
                    topics = seen[int(court.removeprefix("court-"))]
                    if (name == "version" and f'"round {round}"'.encode() in payload or name == "state" and payload
                            or (name, payload) == ("availability", b"online")):
                        topics.add(name)
                    elif name == "availability":
                        topics.discard(name)
        return time.monotonic()

    def fail(self):
        """The power."""
        sources = [(self.broker.process, REFUSAL), *((one, COMPLAINT) for one in self.processes)]
        for process, _ in sources:
            process.process.kill()
        for process, wanted in sources:
            process.result()
            self.complaints += filter(wanted.search, process.errors.splitlines())
        self.processes = []


def came_back(programs, bridge=None):
    """How soon a site is whole from when its broker listens, for brokers that keep nothing, or all, and that come at
    once or later; and what was refused."""
    times, complaints = [], []
    for keeps in (False, True):
        with tempfile.TemporaryDirectory(prefix="ballmachine-site-") as folder:
            site = Site(programs, folder, keeps, bridge)
            with contextlib.ExitStack() as stack:
                stack.callback(site.fail)
                site.start(0)
                site.whole(0)
                for round, delay in enumerate(DELAYS, 1):
                    site.fail()
                    site.start(round)
                    time.sleep(delay)
                    listening = site.broker.start()
                    times.append(site.whole(round) - listening)
                    kind = "keeps all" if keeps else "keeps nothing"
                    say(f"{COURTS} courts, the broker {kind} and comes {delay} s later: whole after {times[-1]:.1f} s")
            complaints += site.complaints
    return times, complaints


def rows(times, complaints):
    return [
        f"| {COURTS} courts after a power failure, the broker up to {max(DELAYS)} s later than they: whole after it "
        f"listens, the worst of {len(times)} | {max(times):.1f} s | ≤ {LONGEST} s | {said(max(times) <= LONGEST)} |",
        f"| the same: clients that the broker refused, or courts taken for another's | {len(complaints)} | 0 "
        f"| {said(not complaints)} |",
    ]
