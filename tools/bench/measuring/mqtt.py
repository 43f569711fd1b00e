"""Debian's mosquitto, and as much of MQTT 3.1.1 as measuring it needs."""

import select
import socket
import struct
import tempfile
import time
from pathlib import Path

from .processes import Failure, Process

BROKER = "/usr/sbin/mosquitto"
TIMEOUT = 20
CONNECT, CONNECTED, PUBLISH, PUBLISHED, SUBSCRIBE, SUBSCRIBED = 0x10, 0x20, 0x30, 0x40, 0x82, 0x90
AT_LEAST_ONCE, RETAINED = 0x02, 0x01


def text(value):
    return struct.pack(">H", len(value)) + value


def packet(first, *parts):
    body = b"".join(parts)
    length, digits = len(body), []
    while True:
        length, digit = divmod(length, 128)
        digits.append(digit | 128 * (length > 0))
        if not length:
            return bytes([first, *digits]) + body


class Client:
    """One connection, whose session is a clean one. It subscribes with QoS 1."""

    # In seconds; 0 is none.
    keepalive = 0

    def __init__(self, port, name, will=None, user=None):
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Python's own time limit would cost a system call each time.
        self.socket.settimeout(None)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self.socket.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", TIMEOUT, 0))
        self.rest = b""
        self.number = self.acknowledged = self.received = self.sent = 0
        # A user is a name and a password.
        flags = 0x02 | (0x2C if will else 0) | (0xC0 if user else 0)
        parts = [text(part) for part in (*(will or ()), *(user or ()))]
        self._send(packet(CONNECT, text(b"MQTT"), struct.pack(">BBH", 4, flags, self.keepalive), text(name.encode()), *parts))
        # amqtt may send more in one go with its answer.
        (kind, body), *_ = self._packets()
        if kind != CONNECTED or body[1]:
            raise Failure(f"the broker refuses {name}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def publish(self, topic, payload, is_retained=True, is_acknowledged=True):
        first = PUBLISH | (RETAINED if is_retained else 0)
        if not is_acknowledged:
            return self._send(packet(first, text(topic), payload))
        self.number = self.number % 65535 + 1
        self._send(packet(first | AT_LEAST_ONCE, text(topic), struct.pack(">H", self.number), payload))

    def subscribe(self, topic):
        self._send(packet(SUBSCRIBE, b"\0\1", text(topic), b"\1"))

    def messages(self):
        """What has come, topics and payloads; waits until something has."""
        messages, answers = [], []
        for kind, body in self._packets():
            if kind == PUBLISHED:
                self.acknowledged += 1
            elif kind & 0xF0 == PUBLISH:
                end = 2 + (body[0] << 8 | body[1])
                topic = body[2:end]
                if kind & AT_LEAST_ONCE:
                    answers.append(b"\x40\2" + body[end : end + 2])
                    end += 2
                messages.append((topic, body[end:]))
        if answers:
            self._send(b"".join(answers))
        return messages

    def has_more(self, seconds):
        """Whether something comes within a time."""
        poll = select.poll()
        poll.register(self.socket, select.POLLIN)
        return bool(poll.poll(max(0, 1000 * seconds)))

    def wait_for(self, topic, wanted, timeout=TIMEOUT):
        """When a payload came that is wanted."""
        end = time.monotonic() + timeout
        while self.has_more(end - time.monotonic()):
            now = time.monotonic()
            if any(name == topic and wanted(payload) for name, payload in self.messages()):
                return now
        raise Failure(f"nothing of what is wanted on {topic.decode()} in {timeout} s")

    def _send(self, data):
        self.sent += len(data)
        self.socket.sendall(data)

    def _packets(self):
        new = self.socket.recv(1 << 16)
        if not new:
            raise Failure("the broker ended the connection")
        self.received += len(new)
        data, start, packets = self.rest + new, 0, []
        while True:
            length, shift, place = 0, 0, start + 1
            while place < len(data):
                length |= (data[place] & 127) << shift
                shift += 7
                place += 1
                if data[place - 1] < 128:
                    break
            else:
                break
            if place + length > len(data):
                break
            packets.append((data[start], data[place : place + length]))
            start = place + length
        self.rest = data[start:]
        return packets


class Broker:
    """Debian's mosquitto as it is configured by default, but open to all on a port of loopback."""

    def __init__(self, *lines):
        with socket.create_server(("127.0.0.1", 0)) as place:
            self.port = place.getsockname()[1]
        self.lines = [f"listener {self.port} 127.0.0.1", "allow_anonymous true", "log_type error", *lines]
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    @property
    def identifier(self):
        return self.process.identifier

    def start(self):
        """When it has begun to listen."""
        with tempfile.NamedTemporaryFile("w", prefix="ballmachine-bench-") as file:
            file.write("\n".join([*self.lines, ""]))
            file.flush()
            self.process = Process([BROKER, "-c", file.name])
            end = time.monotonic() + TIMEOUT
            while True:
                try:
                    socket.create_connection(("127.0.0.1", self.port)).close()
                    return time.monotonic()
                except ConnectionRefusedError:
                    if self.process.process.poll() is not None or time.monotonic() > end:
                        raise Failure(f"{Path(BROKER).name} does not start: {self.process.errors}") from None
                    time.sleep(0.002)

    def end(self):
        self.process.end()
