"""Simulated courts, an office that sees them all, and the brokers between."""

import contextlib
import json
import queue
import random
import select
import socket
import threading
import time
from typing import NamedTuple

from .mqtt import TIMEOUT, Client
from .percentile import percentile
from .processes import Failure, Usage, memory

PERIOD = 3.0
# Mosquitto takes one packet of each client in a round, the office's acknowledgements too: so much from so many at
# once grows beyond the 1000 messages that it keeps for a reader unless it is allowed more.
UNDERWAY = 200
# From one stop to the next, over all courts.
STOPS = 0.1
# Where the time of sending is in a payload.
STAMP = slice(8, 27)
RETAINED = ("state", "link", "balls", "drill", "problem", "version", "box")
BRIDGED = ("availability", *RETAINED, "player", "session", "stop/outcome")
WHEN = "2026-11-23T12:40:26.000Z"


class Manner(NamedTuple):
    """What a court in play sends."""

    # With each ball.
    ball: tuple
    # With each ball of so many, beside that.
    every: int
    rarely: tuple
    # What goes at most once (QoS 0); the broker acknowledges all else (QoS 1).
    passing: tuple


# As the program sends: a drill's progress, then the ball with its outcome. Holds change the state now and then.
PRESENT = Manner(("drill", "balls"), 10, ("state",), ("drill", "balls"))
# As it sent before, each message acknowledged.
ACKNOWLEDGED = PRESENT._replace(passing=())
# As this load was before: more than the program has ever sent.
EARLIER = Manner(("balls", "drill", "balls"), 2, ("state", "link"), ())


def payload(topic, ball=0):
    """As a court in play publishes it, with when it was sent."""
    content = {
        "state": {"state": "live", "holds": [], "mode": "REAL", "since": WHEN},
        "link": {"state": "ready", "since": WHEN, "mode": "REAL", "machine": "F0:F1:F2:F3:F4:F5",
                 "name": "TENNIS-F5", "remembered": True, "profile": "0000FFE0-0000-1000-8000-00805F9B34FB",
                 "adapter": "00:1A:7D:DA:71:13", "adapterName": "hci0", "adapterState": "on",
                 "rssi": -60 - ball % 9, "attempt": 1},
        "balls": {"session": ball, "total": 1200 + ball,
                  "outcomes": {"delivered": 1190 + ball, "notSent": 2, "queued": 0, "unknown": 8},
                  "last": {"outcome": "delivered", "time": WHEN}},
        "drill": {"aim": "plan", "drill": "corners", "level": "intermediate", "interval": PERIOD, "set": 1,
                  "sets": 4, "ball": ball % 12, "ballsPerSet": 12, "next": "3-0"},
        "problem": {"problems": [{"code": "clockNotSynchronised", "text": "the clock is not synchronised",
                                  "remedy": "let this box reach a time server"}]},
        "version": {"version": "0.1.0", "service": "0.1.0"},
        "box": {"box": "0123456789abcdef0123456789abcdef"},
        "discovery": {"components": "x" * 4000},
    }[topic]
    return b'{"sent":%019d,' % time.monotonic_ns() + json.dumps(content, separators=(",", ":")).encode()[1:]


class Load:
    """Courts on one broker, and an office on the same or on another."""

    def __init__(self, broker, count, above=None):
        self.broker = broker
        empty = memory(broker.identifier)["resident"]
        self.poll = select.epoll()
        self.clients = {}
        self.outstanding = 0
        self.courts = []
        self.heard = None
        self.latencies = []
        self.stops = []
        self.office = self._add(Client((above or broker).port, "office"))
        self.office.subscribe(b"ballmachine/#")
        begin = time.monotonic()
        for number in range(count):
            name = f"ballmachine/court-{number}/"
            self.courts.append(Court(self._add(Client(
                broker.port, f"ballmachine-court-{number}", (f"{name}availability".encode(), b"offline"))), name))
            self.courts[-1].client.subscribe(self.courts[-1].topic("stop"))
            self._publish(number, "availability", b"online")
            for topic in RETAINED:
                self._publish(number, topic, payload(topic))
            self.courts[-1].client.publish(b"homeassistant/device/court-%d/config" % number, payload("discovery"))
            self._look(0)
        self._drain()
        self.connecting = time.monotonic() - begin
        self.memory = (memory(broker.identifier)["resident"] - empty) / count
        self.numbers = {court.topic(topic): number
                        for number, court in enumerate(self.courts) for topic in RETAINED}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in self.clients.values():
            client.socket.close()
        self.poll.close()

    def _add(self, client):
        self.poll.register(client.socket, select.EPOLLIN)
        self.clients[client.socket.fileno()] = client
        return client

    def _publish(self, number, topic, content, is_acknowledged=True):
        court = self.courts[number]
        self.outstanding += 1
        court.client.publish(court.topic(topic), content, is_acknowledged=is_acknowledged)

    def _look(self, timeout):
        """What the office and the courts see, within a time limit in seconds."""
        for descriptor, _ in self.poll.poll(max(0, timeout)):
            messages = self.clients[descriptor].messages()
            now = time.monotonic_ns()
            for topic, content in messages:
                self.outstanding -= 1
                if topic.endswith(b"stop"):
                    # The office sees its own, too.
                    if descriptor != self.office.socket.fileno():
                        self.stops.append((now - int(content)) / 1e9)
                elif self.heard:
                    self.latencies.append((now - int(content[STAMP])) / 1e9)
                    self.heard(self.numbers[topic])

    def _drain(self):
        end = time.monotonic() + TIMEOUT
        while self.outstanding:
            self._look(end - time.monotonic())
            if time.monotonic() > end:
                raise Failure(f"{self.outstanding} messages never reached the office")

    def measure(self, act, seconds):
        """What the courts have sent while they act, all of which the office has seen."""
        usage, size = Usage(self.broker.identifier), self.office.received
        self.latencies, self.stops = [], []
        act(seconds)
        self._drain()
        used = Usage(self.broker.identifier).since(usage)
        self.heard = None
        count = len(self.latencies)
        return {
            "rate": count / used["seconds"],
            "processor": used["processor"],
            "size": (self.office.received - size) / count,
            "p50": percentile(self.latencies, 50),
            "p99": percentile(self.latencies, 99),
            "stop": percentile(self.stops or [0], 99),
        }

    def play(self, seconds, manner=PRESENT):
        """All courts in play, a ball every three seconds, each with its own beginning; and stops to some."""
        self.heard = lambda _: None
        draw = random.Random(1)
        begin = time.monotonic()
        due = [(begin + draw.uniform(0, PERIOD) + ball * PERIOD, number, ball)
               for ball in range(int(seconds / PERIOD)) for number in range(len(self.courts))]
        due += [(begin + stop * STOPS, draw.randrange(len(self.courts)), None) for stop in range(int(seconds / STOPS))]
        for instant, number, ball in sorted(due, key=lambda one: one[0]):
            while (left := instant - time.monotonic()) > 0:
                self._look(left)
            if ball is None:
                self._stop(number)
                continue
            rarely = manner.rarely if (ball + number) % manner.every == 0 else ()
            for topic in (*manner.ball, *rarely):
                self._publish(number, topic, payload(topic, ball), topic not in manner.passing)

    def _stop(self, number):
        topic = self.courts[number].topic("stop")
        # To the court, and to the office itself.
        self.outstanding += 2
        self.office.publish(topic, b"%d" % time.monotonic_ns(), is_retained=False)

    def strain(self, seconds):
        """As much as the brokers carry: a court sends the next when the office has seen one of its own."""
        contents = payload("balls")[STAMP.stop :]
        end = time.monotonic() + seconds

        def send(number):
            if time.monotonic() < end:
                content = b'{"sent":%019d' % time.monotonic_ns() + contents
                self._publish(number, "balls", content, "balls" not in PRESENT.passing)

        self.heard = send
        for place in range(UNDERWAY):
            send(place % len(self.courts))
        while time.monotonic() < end:
            self._look(end - time.monotonic())


class Court:
    def __init__(self, client, name):
        self.client = client
        self.name = name
        self.topics = {}

    def topic(self, name):
        return self.topics.setdefault(name, (self.name + name).encode())


def bridge(port, *lines):
    """What a site's broker needs to pass on its courts. Not `stop': not every broker knows that it is its own."""
    return [
        "connection academy",
        f"address 127.0.0.1:{port}",
        "notifications false",
        "restart_timeout 1",
        *(f"topic ballmachine/+/{topic} out 1" for topic in BRIDGED),
        "topic ballmachine/+/stop in 1",
        *lines,
    ]


class Distance:
    """A port that leads to another one, and takes half of a round trip each way."""

    def __init__(self, port, trip):
        self.target = port
        self.delay = trip / 2
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()

    def _run(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.server.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                for ends in ((near, far), (far, near)):
                    ends[1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    parts = queue.SimpleQueue()
                    threading.Thread(target=self._read, args=(ends[0], parts), daemon=True).start()
                    threading.Thread(target=self._write, args=(ends[1], parts), daemon=True).start()

    def _read(self, end, parts):
        data = True
        while data:
            try:
                data = end.recv(1 << 16)
            except OSError:
                data = b""
            parts.put((time.monotonic() + self.delay, data))

    def _write(self, end, parts):
        with contextlib.suppress(OSError), end:
            while True:
                due, data = parts.get()
                if not data:
                    return
                time.sleep(max(0, due - time.monotonic()))
                end.sendall(data)
