"""HTTP byte by byte, from any address of this box: what a browser would never send."""

import contextlib
import json
import socket
import ssl
import threading
import time
from dataclasses import dataclass

from box import PORTS

PAGE, STOP, PLAIN_STOP = PORTS
HOST = f"127.0.0.1:{PAGE}"


# TLS on all ports but one, while a box has a certificate.
SECURE = ssl.create_default_context()
SECURE.check_hostname = False
SECURE.verify_mode = ssl.CERT_NONE
security = None


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


def connect(source, port=PAGE, receive=None):
    """Each address is a phone of its own to the limits."""
    connection = socket.socket()
    if receive:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    connection.bind((source, 0))
    connection.settimeout(5)
    connection.connect(("127.0.0.1", port))
    return connection


def speak(source, port=PAGE, receive=None):
    """A connection that is ready for a request."""
    connection = connect(source, port, receive)
    return security.wrap_socket(connection) if security and port != PLAIN_STOP else connection


def written(method, path, headers=None, body=b"", host=HOST):
    lines = [f"{method} {path} HTTP/1.1", *([f"Host: {host}"] if host is not None else [])]
    if body or method == "POST":
        headers = {"Content-Length": len(body)} | (headers or {})
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def read(connection, has_body=True):
    """One answer, or None if the connection ends instead."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return None
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        while has_body and len(body) < int(headers.get("content-length", 0)):
            more = connection.recv(65536)
            if not more:
                break
            body += more
        return Answer(int(status.split()[1]), headers, body)
    return None


def answers(data, source="127.0.0.1", port=PAGE):
    """All that bytes are answered with, until the connection ends or is silent."""
    found = []
    with speak(source, port) as connection:
        connection.settimeout(0.5)
        with contextlib.suppress(ConnectionError):
            connection.sendall(data)
        with contextlib.suppress(TimeoutError):
            while answer := read(connection):
                found.append(answer)
                connection.settimeout(0.25)
    return found


def ask(method, path, headers=None, body=b"", host=HOST, source="127.0.0.1", port=PAGE):
    """The status and the rest of one answer; status 0 if the connection ends without one."""
    with speak(source, port) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(written(method, path, headers, body, host))
        return read(connection, method != "HEAD") or Answer(0, {}, b"")


def post(path, value, source="127.0.0.1", cookie=None, **headers):
    headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {}) | headers
    return ask("POST", path, headers, json.dumps(value).encode(), source=source)


def stop(source="127.0.0.1", port=STOP, **options):
    return ask("POST", "/stop", source=source, port=port, **options)


def pair(code, source="127.0.0.1"):
    """The cookie of a phone with this code."""
    answer = post("/api/pair", {"code": code}, source)
    assert answer.status == 200, answer
    return answer.headers["set-cookie"].partition(";")[0]


class Stream:
    """The events that a phone gets, as the HTML standard reads them."""

    def __init__(self, source="127.0.0.1", cookie=None):
        self.connection = speak(source)
        self.connection.sendall(written("GET", "/events", {"Cookie": cookie} if cookie else {}))
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def events(self, seconds):
        """Names and data, for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.connection.settimeout(left)
            with contextlib.suppress(TimeoutError):
                more = self.connection.recv(65536)
                if not more:
                    return
                self.rest += more
            *whole, self.rest = self.rest.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n\n")
            for block in whole:
                fields = [line.partition(":") for line in block.decode().split("\n")]
                values = {name: value.removeprefix(" ") for name, _, value in fields}
                if "data" in values:
                    yield values.get("event", "message"), json.loads(values["data"])


class Stopping:
    """A person who touches STOP, again and again, while something else happens."""

    def __init__(self, port=STOP, every=0.1):
        self.port = port
        self.every = every
        self.times = []
        self.failures = []

    def __enter__(self):
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join()

    def _run(self):
        while not self.times or not self.ending.wait(self.every):
            began = time.monotonic()
            try:
                answer = stop("127.0.9.9", self.port)
                if answer.status != 200:
                    self.failures.append(answer)
            except OSError as error:
                self.failures.append(error)
            self.times.append(time.monotonic() - began)


def crowd(stack, count):
    """So many phones of this address that watch without being paired, until the stack ends."""
    for _ in range(count):
        # One that has just left may still count: then this one is told that there are too many.
        while not watches(stream := connect("127.0.0.1")):
            stream.close()
            time.sleep(0.1)
        stack.enter_context(stream)


def watches(stream):
    stream.sendall(written("GET", "/events"))
    head = b""
    while b"\r\n\r\n" not in head:
        head += stream.recv(1024)
    return b"content-length" not in head.lower()
