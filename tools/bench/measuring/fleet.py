"""What a fleet of courts costs its broker, and how soon an office sees that a court is gone.

tools/bench/fleet starts it.
"""

import argparse
import contextlib
import resource
import signal
import statistics
import sys
import time
from pathlib import Path

from box import Box

from . import manners, ratio, site
from .courts import PERIOD, RETAINED, UNDERWAY, Distance, Load, bridge
from .mqtt import Broker, Client
from .processes import Failure, Usage, memory
from .table import megabytes, milliseconds, percents, said, say

COURTS = 100
MANY = 1000
FLEET = 10000
# From a site to the academy's office and back.
TRIP = 0.05
# An office that comes late gets all at once that is kept of all courts: more than the 1000 messages that mosquitto
# has room for. And it waits with a small packet until the one before has been acknowledged, up to 40 ms.
ROOM = "max_queued_messages 100000"
PROMPT = "set_tcp_nodelay true"
ROUNDS = 7
SECONDS = 2 * PERIOD
STEADY = 11
LONGEST = 45 * 60
COURT = b"ballmachine/court-1/"


def main():
    parser = argparse.ArgumentParser(prog="tools/bench/fleet")
    for path in ("programs", "table"):
        parser.add_argument(f"--{path}", type=Path)
    options = parser.parse_args()
    # Each end is by way of the `with' blocks, which end the processes.
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, lambda number, _: sys.exit(f"ended by {signal.Signals(number).name}"))
    signal.alarm(LONGEST)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    lines = brokers(options.programs)
    if options.programs:
        lines = [*program(options.programs), "", *lines]
    print("\n".join(lines))
    if options.table:
        options.table.write_text("\n".join(lines) + "\n")
    return 1 if any(line.endswith("NO |") for line in lines) else 0


# Brokers


def brokers(programs):
    loads = {}
    with broker() as one, Load(one, COURTS) as load:
        loads[f"{COURTS} courts"] = measured(load)
    with broker() as one, Load(one, MANY) as load:
        loads[f"{MANY:,} courts"] = measured(load) | {"late": late(one)}
        rounds = manners.compared(load, programs)
    with broker() as above, bridged(broker, above.port) as site, Load(site, COURTS, above) as load:
        loads["by a bridge"] = measured(load)
    with (
        broker() as above,
        Distance(above.port, TRIP) as distance,
        bridged(broker, distance.port) as site,
        Load(site, COURTS, above) as load,
    ):
        loads[f"the same, {TRIP * 1000:.0f} ms away"] = measured(load)
    with Broker() as above, bridged(Broker, above.port) as site, Load(site, COURTS, above) as load:
        defaults = {"stop": statistics.median(load.measure(load.play, SECONDS)["stop"] for _ in range(ROUNDS))}
    with Broker() as one, Load(one, MANY):
        defaults["late"] = late(one)
    return [*broker_table(loads), "", *manners.rows(rounds, MANY), "", *arithmetic(loads, defaults)]


def broker(*lines):
    return Broker(ROOM, PROMPT, *lines)


@contextlib.contextmanager
def bridged(kind, port):
    """A site's broker, once it is connected."""
    topic = b"ballmachine/probe/version"
    with kind(*bridge(port)) as site:
        with Client(port, "probe") as probe, Client(site.port, "probe") as publisher:
            probe.subscribe(topic)
            publisher.publish(topic, b"", is_retained=False)
            probe.wait_for(topic, lambda _: True)
        yield site


def measured(load):
    rounds = [(load.measure(load.play, SECONDS), load.measure(load.strain, 2)) for _ in range(ROUNDS)]
    values = {f"{name} {kind}": ratio.of_medians([one[place][kind] for one in rounds])
              for place, name in enumerate(("play", "strain")) for kind in rounds[0][0]}
    values |= {"courts": len(load.courts), "memory": load.memory, "connecting": load.connecting}
    rates = [f"{values[f'{name} rate'].value:.0f}" for name in ("play", "strain")]
    say(f"{len(load.courts)} courts: {' and '.join(rates)} messages a second")
    return values


def late(one):
    """What an office sees that comes when all courts are there: the share of what is kept, and how soon."""
    wanted = MANY * (1 + len(RETAINED))
    with Client(one.port, "late") as office:
        begin = end = time.monotonic()
        office.subscribe(b"ballmachine/#")
        seen = 0
        while seen < wanted and office.has_more(2):
            seen += len(office.messages())
            end = time.monotonic()
    return {"share": seen / wanted, "seconds": end - begin, "count": wanted}


def broker_table(loads):
    def row(name, value):
        return f"| {name} | {' | '.join(value(load) for load in loads.values())} |"

    def rate(value):
        return f"{value:,.0f}"

    def kilobytes(load):
        return f"{load['memory'] / 1000:.1f} KB"

    return [
        f"| Debian's mosquitto, and one office that reads all | {' | '.join(loads)} |",
        "| --- |" + " --: |" * len(loads),
        row("all in play: messages a second", lambda load: shown(load["play rate"], rate)),
        row("their broker's share of a processor", lambda load: shown(load["play processor"], percents)),
        row("from court to office, p50", lambda load: shown(load["play p50"], milliseconds)),
        row("the same, p99", lambda load: shown(load["play p99"], milliseconds)),
        row("a stop from office to court, p99", lambda load: shown(load["play stop"], milliseconds)),
        row("as many as the load's one processor sends: messages a second",
            lambda load: shown(load["strain rate"], rate)),
        row("their broker's share of a processor then", lambda load: shown(load["strain processor"], percents)),
        row("their broker's resident memory a court", kilobytes),
    ]


def arithmetic(loads, defaults):
    """To a fleet of many courts, from what was measured."""
    one, many, near, far = loads.values()
    kept = 1 + len(RETAINED)
    rate = many["play rate"].value / MANY
    size = many["play size"].value
    share = many["play processor"].value / MANY
    late_office = many["late"]

    def kilobits(courts):
        # Of TCP and IP, and of TLS: headers, and as much again for what is acknowledged.
        return courts * rate * (size + 2 * 69) * 8 / 1000

    return [
        f"Arithmetic to {FLEET:,} courts that are all in play at once, a ball each {PERIOD:g} s, with {rate:.2f} "
        f"messages a second of {size:.0f} bytes from each, and one office that reads all:",
        "",
        f"- On one broker: {FLEET * rate:,.0f} messages a second; {percents(FLEET * share)} of a processor by the "
        f"share of {MANY:,} courts, {percents(FLEET / COURTS * one['play processor'].value)} by that of {COURTS}. Mosquitto "
        f"uses one processor. It has carried {many['strain rate'].value:,.0f} a second here.",
        f"- {megabytes(FLEET * many['memory'])} of its memory, {kilobits(FLEET) / 1000:.0f} Mbit/s in and again out for "
        f"each reader of all, and {FLEET:,} open files: `LimitNOFILE=` in its unit, whose default is 1024.",
        f"- After its restart, {MANY:,} courts have connected and said all in {many['connecting']:.1f} s, so "
        f"{FLEET:,} do in {FLEET / MANY * many['connecting']:.0f} s. Their back-off spreads them over 8 s: while the "
        f"broker is away, {FLEET / 5:,.0f} a second try at most.",
        f"- An office that comes late gets {kept} messages a court at once. Of {late_office['count']:,} it saw "
        f"{late_office['share']:.0%} in {milliseconds(late_office['seconds'])} with `{ROOM}`, but "
        f"{defaults['late']['share']:.0%} with mosquitto's default of 1000, which is enough for {1000 // kept} courts.",
        f"- A stop by way of the bridge takes {milliseconds(near['play stop'].value)} with `{PROMPT}` in both brokers, "
        f"and {milliseconds(defaults['stop'])} without (p99).",
        f"- As sites of {COURTS} courts with a broker each, and a bridge to the academy's: {FLEET // COURTS} "
        f"connections there; {COURTS * rate:.0f} messages and {kilobits(COURTS):.0f} kbit/s on each link. A link has "
        f"carried {near['strain rate'].value:,.0f} messages a second, and {far['strain rate'].value:,.0f} over "
        f"{TRIP * 1000:.0f} ms there and back with {UNDERWAY} on their way. The academy's broker has the same "
        f"{FLEET * rate:,.0f} messages a second.",
        "",
        "Assumed: the share and the memory grow as the courts do; the processor that TLS takes comes on top; 69 bytes "
        "of headers for a message (IP, TCP, TLS), and as many for its acknowledgement.",
    ]


# The program


def program(programs):
    if not (programs / "ballmachine-mqtt").exists():
        raise Failure(f"no ballmachine-mqtt in {programs}")
    with Box(programs) as box, broker() as one:
        court = Court(box, one)
        costs = court.costs()
        stopped = court.stops(20)
        killed = court.killed(20)
        frozen, thawed = court.frozen(5)
        back = court.restarts(20, away=1)
        later = court.restarts(3, away=60)
        after_failures = site.came_back(programs, box.environment)
    return [*program_table(costs, stopped, killed, frozen, thawed, back, later), *site.rows(*after_failures)]


class Court:
    """A bridge with a mock machine, its `ballmachine-mqtt', and an office."""

    def __init__(self, box, broker):
        self.box = box
        self.broker = broker
        self.folder = box.folder / "mqtt"
        self.folder.mkdir()
        self.configuration = self.folder / "mqtt.yaml"
        self.configuration.write_text(
            f"broker:\n  host: 127.0.0.1\n  port: {broker.port}\nfleet:\n  court: court-1\n  name: Court 1\n")

    @contextlib.contextmanager
    def office(self):
        with Client(self.broker.port, "office") as office:
            office.subscribe(COURT + b"#")
            yield office

    @contextlib.contextmanager
    def publisher(self, office):
        """The program, once the office sees it."""
        # A service that is killed again and again begins later each time.
        (self.folder / "unfinished-runs").unlink(missing_ok=True)
        process = self.box.start("ballmachine-mqtt", "run", "--config", self.configuration,
                                 BALLMACHINE_MQTT_DIR=str(self.folder))
        self.see(office, b"online")
        yield process
        self.box.end(process)

    @staticmethod
    def see(office, payload, timeout=60):
        return office.wait_for(COURT + b"availability", lambda value: value == payload, timeout)

    def costs(self):
        """Memory and processor, idle and in play, and what a court in play costs `serve' for it."""
        with self.office() as office:
            with self.publisher(office) as mqtt:
                time.sleep(10)
                before = Usage(mqtt.identifier)
                time.sleep(60)
                idle = Usage(mqtt.identifier).since(before)
                size = memory(mqtt.identifier)
            self.box.see_player()
            self.box.reach("live")
            rounds = []
            for number in range(ROUNDS):
                rounds.append({"alone": self.serve()})
                with self.publisher(office) as mqtt:
                    time.sleep(2)
                    office.messages()
                    begin, before = time.monotonic(), Usage(mqtt.identifier)
                    rounds[-1]["beside"] = self.serve()
                    rounds[-1]["share"] = Usage(mqtt.identifier).since(before)["processor"]
                    rounds[-1]["rate"] = self.drain(office) / (time.monotonic() - begin)
                    busy = memory(mqtt.identifier)
                say(f"round {number + 1} of {ROUNDS} in play")
            self.box.reach("disarmed")
        return {"idle": idle, "memory": size, "busy": busy, "rounds": rounds}

    def serve(self):
        before = Usage(self.box.service.identifier)
        time.sleep(4 * PERIOD)
        return Usage(self.box.service.identifier).since(before)["processor"]

    @staticmethod
    def drain(office):
        count = 0
        while office.has_more(0):
            count += len(office.messages())
        return count

    def killed(self, count):
        times = []
        with self.office() as office:
            for _ in range(count):
                with self.publisher(office) as mqtt:
                    begin = time.monotonic()
                    self.box.kill(mqtt)
                    times.append(self.see(office, b"offline") - begin)
        say(f"killed: {max(times):.3f} s at most")
        return times

    def frozen(self, count):
        gone, back = [], []
        with self.office() as office, self.publisher(office) as mqtt:
            for number in range(count):
                # At various places between two keepalives.
                time.sleep(3 * number)
                begin = time.monotonic()
                mqtt.send(signal.SIGSTOP)
                try:
                    gone.append(self.see(office, b"offline") - begin)
                finally:
                    begin = time.monotonic()
                    mqtt.send(signal.SIGCONT)
                back.append(self.see(office, b"online") - begin)
                say(f"frozen: {gone[-1]:.1f} s, back {back[-1]:.1f} s")
        return gone, back

    def stops(self, count):
        """From the office's `stop' to its outcome, with balls flying."""
        times = []
        with self.office() as office, self.publisher(office):
            for _ in range(count):
                self.box.reach("live")
                office.wait_for(COURT + b"state", lambda value: b'"live"' in value)
                begin = time.monotonic()
                office.publish(COURT + b"stop", b"", is_retained=False)
                times.append(office.wait_for(COURT + b"stop/outcome", lambda value: b'"confirmed"' in value) - begin)
            self.box.reach("disarmed")
        say(f"stopped: {max(times):.3f} s at most")
        return times

    def restarts(self, count, away):
        times = []
        with self.office() as office, contextlib.ExitStack() as stack:
            stack.enter_context(self.publisher(office))
            for _ in range(count):
                # A connection that has not lasted is one more failure for the back-off.
                time.sleep(STEADY)
                self.broker.end()
                time.sleep(away)
                begin = self.broker.start()
                with self.office() as later:
                    times.append(self.see(later, b"online", 180) - begin)
        say(f"the broker was away for {away} s: back {statistics.median(times):.1f} s, {max(times):.1f} s at most")
        return times


def program_table(costs, stopped, killed, frozen, thawed, back, later):
    def of_rounds(value):
        return ratio.of_medians([value(one) for one in costs["rounds"]])

    def seconds(value):
        return f"{value:.2f} s"

    restart = ratio.of_medians(back)
    idle = costs["idle"]
    return [
        "| measure | value | must reach | reached |",
        "| --- | --: | --- | --- |",
        f"| a stop from the office to `confirmed`, the worst of {len(stopped)} | {milliseconds(max(stopped))} |  |  |",
        f"| `offline` after `kill -9`, the worst of {len(killed)} | {seconds(max(killed))} | ≤ 2 s "
        f"| {said(max(killed) <= 2)} |",
        f"| `offline` after a freeze (SIGSTOP), the worst of {len(frozen)} | {seconds(max(frozen))} | ≤ 30 s "
        f"| {said(max(frozen) <= 30)} |",
        f"| `online` after the freeze, the worst | {seconds(max(thawed))} |  |  |",
        f"| `online` after a broker's restart, median of {len(back)} | {shown(restart, seconds)} | ≤ 10 s "
        f"| {said(restart.value <= 10)} |",
        f"| the same, the worst | {seconds(max(back))} |  |  |",
        f"| the same after a minute without a broker, the worst of {len(later)} | {seconds(max(later))} |  |  |",
        f"| idle: wake-ups a second | {idle['wakeups'] / idle['seconds']:.2f} |  |  |",
        f"| idle: processor | {idle['processor']:.3%} |  |  |",
        f"| idle: resident memory | {megabytes(costs['memory']['resident'])} |  |  |",
        f"| of which its own | {megabytes(costs['memory']['own'])} |  |  |",
        f"| a court in play: messages a second | {of_rounds(lambda one: one['rate']).value:.2f} |  |  |",
        f"| the same: processor | {shown(of_rounds(lambda one: one['share']), percents)} |  |  |",
        f"| what it costs `serve` | {shown(of_rounds(lambda one: one['beside'] - one['alone']), percents)} |  |  |",
        f"| its own memory, beyond idle | {megabytes(costs['busy']['own'] - costs['memory']['own'])} |  |  |",
    ]


def shown(value, text):
    """With its interval."""
    return f"{text(value.value)} ({text(value.low)} to {text(value.high)})"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"bench/fleet: {failure}")
