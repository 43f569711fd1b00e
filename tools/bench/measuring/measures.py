"""The measures: each takes the tools and a plan, and returns what it has seen, without judging it."""

import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from .percentile import percentile
from .processes import Failure, Process, Usage, event, memory
from .stage import Bus, Feed, Mock, Relay, Service, act, address

FLOOD = 1000
PERIOD = 3.0
ARMED = ["--arm", "--countdown", "0"]


@dataclass
class Plan:
    """How much of each is measured; durations are in seconds."""

    rounds: int
    writes: int
    flood: float
    services: int
    decisions: int
    positions: int
    starts: int
    # Bridges that each see five of them.
    restarts: int
    # Long enough for what wakes up every ten seconds.
    idle: float = 60
    refusal: float = 30
    peers_refused: bool = False


QUICK = Plan(
    rounds=11, writes=1000, flood=8, services=10, decisions=8, positions=7, starts=10, restarts=1
)
FULL = Plan(
    rounds=21,
    writes=4000,
    flood=30,
    services=20,
    decisions=60,
    positions=20,
    starts=30,
    restarts=4,
    peers_refused=True,
)


def writes(tools, plan):
    """Connecting and writing, each program in turn, in every round.

    Of each round what each of them did. Who fails is noted, and left out of that round.
    """
    subjects = {
        **tools.subjects,
        "ours": [tools.bench],
        "our BlueZ client": [tools.bench],
    }
    rounds = []
    with Bus() as bus:
        for _ in range(plan.rounds):
            rounds.append({})
            for name, command in subjects.items():
                if len(tools.notes.get(name, [])) > 1:
                    continue
                verb = "client-write" if name == "our BlueZ client" else "write"
                try:
                    with Mock(tools, bus):
                        result = act(command, [verb, plan.writes], bus, timeout=15)
                except Failure as failure:
                    tools.note(name, failure)
                    continue
                samples = result["samples"]
                if result.get("lost"):
                    tools.losses.setdefault(name, []).append(len(samples))
                if len(samples) < 2:
                    continue
                rounds[-1][name] = {
                    "connect": result["connect"],
                    "rate": len(samples) / result["seconds"],
                    "percentiles": {
                        str(percent): percentile(samples, percent)
                        for percent in (1, 10, 50, 90, 99)
                    },
                }
    return rounds


def rest(tools, plan):
    """Everybody connected and doing nothing: their memory, what they use, and what foreign signals cost."""
    results = {}
    holders = {}
    subjects = tools.subjects
    options = ["--machines", len(subjects) + 1, "--flood", FLOOD]
    with (
        Bus() as bus,
        Mock(tools, bus, *options) as mock,
        Service(tools, bus, *Service.of(len(subjects))) as service,
    ):
        for machine, (name, command) in enumerate(subjects.items()):
            environment = {**bus.environment, "BENCH_MACHINE": str(machine)}
            holders[name] = Process([*command, "hold"], environment)
        for name, process in list(holders.items()):
            try:
                process.wait_for(lambda line: "ready" in line)
            except Failure as failure:
                tools.note(name, failure)
                del holders[name]
        service.ready()
        everybody = {**holders, "ours": service.process}
        # Threads that have nothing more to do go after some 5 s, and a link that holds for 30 s is
        # reported once.
        time.sleep(35)
        for phase, window in (("idle", plan.idle), ("flood", plan.flood)):
            before = {name: Usage(process.identifier) for name, process in everybody.items()}
            time.sleep(window)
            for name, process in everybody.items():
                usage = Usage(process.identifier).since(before[name])
                results.setdefault(name, {})[phase] = usage
            mock.flood()
            time.sleep(0.5)
        for name, process in everybody.items():
            results[name]["memory"] = memory(process.identifier)
        for process in holders.values():
            process.result()
    return results


def service(tools, plan):
    """Bridges at work: when they decide, how soon a position is a write, and what memory they have."""
    options = ["--machines", 2 * plan.services, "--tell"]
    results = {}
    with Bus() as bus, Mock(tools, bus, *options) as mock, ExitStack() as stack:
        services = [
            stack.enter_context(Service(tools, bus, *Service.of(machine), *ARMED))
            for machine in range(plan.services)
        ]
        for one in services:
            one.ready()
        feeders = [one.feeder() for one in services]
        results |= _cadence(tools, plan, services, feeders)
        results["memory"] = memory(services[0].process.identifier)

        relays = [Relay(tools, bus, plan.services + number) for number in range(plan.services)]
        for relay in relays:
            stack.callback(relay.end)
        # Ours and the floor's in turn.
        pairs = zip(enumerate(feeders), enumerate((one.feeder for one in relays), plan.services))
        everybody = [one for pair in pairs for one in pair]
        # The first ball of each may still be held up by the one before the silence.
        _send(everybody)
        rounds = [_send(everybody) for _ in range(plan.positions)]
        writes = mock.writes()
        results["latencies"] = [_latencies(sent, writes, plan.services) for sent in rounds]
    return results


def _cadence(tools, plan, services, feeders):
    timer = Process([tools.timer, PERIOD, plan.services])
    feeds = []
    try:
        # Their grids are spread as those of the timers are.
        for feeder in feeders:
            feeds.append(Feed([feeder], 30))
            time.sleep(PERIOD / plan.services)
        time.sleep(PERIOD * plan.decisions)
        instants = [[value["t"] for value in one.decisions()] for one in services]
        told = [line.split() for line in list(timer.lines)]
    finally:
        timer.end()
        for feed in feeds:
            feed.end()
    return {
        "lateness": [_lateness(one) for one in instants],
        "timers": [
            [float(words[1]) for words in told if len(words) == 2 and words[0] == number]
            for number in sorted({words[0] for words in told})
        ],
    }


def _lateness(instants):
    """By how much each decision after the first is late on the grid that the first one begins."""
    errors = []
    for instant in instants[1:]:
        elapsed = instant - instants[0]
        errors.append(elapsed - round(elapsed / PERIOD) * PERIOD)
    return errors


def _send(everybody):
    """One position to each, spread over a little more than a period.

    What was sent to which machine, and when.
    """
    sent = []
    begin = time.monotonic()
    duration = PERIOD + 0.1
    for number, (machine, feeder) in enumerate(everybody):
        time.sleep(max(0, begin + number * duration / len(everybody) - time.monotonic()))
        sent.append((time.monotonic_ns(), machine))
        feeder.sendall(Feed.LINE)
    time.sleep(max(0, begin + duration - time.monotonic()))
    return sent


def _latencies(sent, writes, services):
    """How long what was sent was on its way to the machine, in seconds, with ours and with the floor.

    What never came has taken ten seconds.
    """
    latencies = {"ours": [], "floor": []}
    for instant, machine in sent:
        arrivals = (time for time, name, _ in writes if name == address(machine) and time > instant)
        latency = (next(arrivals, instant + 10**10) - instant) / 1e9
        latencies["floor" if machine >= services else "ours"].append(latency)
    return latencies


def starts(tools, plan):
    """From the start of the program to `ready`, on a machine that it remembers, in seconds."""
    durations = []
    with tempfile.TemporaryDirectory() as state, Bus() as bus, Mock(tools, bus):
        # A command that gets through proves the link good.
        with Service(tools, bus, *ARMED, state=state) as service:
            service.ready()
            service.feeder().sendall(Feed.LINE)
            service.process.wait_for(event(event="dispatch", outcome="delivered"))
        for _ in range(plan.starts):
            with Service(tools, bus, state=state) as service:
                ready, _ = service.ready()
                durations.append(ready["t"] - service.started)
    return durations


def restarts(tools, plan):
    """From the objects of a bluetoothd that has been killed and is back to `ready`, in seconds."""
    durations = []
    with Bus() as bus:
        # A bridge calls Connect six times in 30 s at most.
        for _ in range(plan.restarts):
            durations += _restarts(tools, bus, 5)
    return durations


def _restarts(tools, bus, count):
    durations = []
    mock = Mock(tools, bus)
    try:
        with Service(tools, bus, *Service.of(0)) as service:
            _, place = service.ready()
            for _ in range(count):
                mock.process.end(9)
                mock = Mock(tools, bus)
                ready, place = service.ready(place)
                durations.append(ready["t"] - mock.up / 1e9)
    finally:
        mock.process.end()
    return durations


class Refusal:
    """A bridge whose machine refuses, beside other things: it hardly does anything."""

    def __init__(self, tools, seconds):
        self.bus = Bus()
        self.mock = Mock(tools, self.bus, "--refuse")
        self.service = Service(tools, self.bus, *Service.of(0))
        self.ending = threading.Timer(seconds, self._end)
        self.ending.start()

    def _end(self):
        self.count = self.mock.counts()["connects"]
        self.service.end()
        self.bus.process.end()

    def connects(self):
        """How often it has called Connect in that time, once that is over."""
        self.ending.join()
        return self.count


def refusals(tools, plan):
    """How often every other program calls Connect in that time."""
    results = {}
    with Bus() as bus:
        for name, command in tools.subjects.items():
            mock = Mock(tools, bus, "--refuse")
            try:
                act(command, ["refused", plan.refusal], bus)
                results[name] = mock.counts()["connects"]
            except Failure as failure:
                tools.note(name, failure)
            finally:
                mock.process.end()
    return results


def drift(tools, balls=1200):
    """By how much the last of so many decisions is off the first one's grid, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        track = Path(folder) / "track.csv"
        lines = (f"{tenth / 10:.1f},4.1,9.8\n" for tenth in range(int(balls * PERIOD * 10) - 20))
        track.write_text("timestamp,x,y\n" + "".join(lines))
        process = Process([tools.program, "replay", track, "--dry-run", "--json"])
        output = process.result()
    instants = [
        float(line.partition('"t":')[2].split(",")[0].rstrip("}"))
        for line in output
        if '"event":"decision"' in line
    ]
    if len(instants) != balls:
        raise Failure(f"{len(instants)} decisions, not {balls}")
    return instants[-1] - instants[0] - PERIOD * (balls - 1)
