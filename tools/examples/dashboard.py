#!/usr/bin/env python3
"""Shows a bridge in one line that is always true: mode, arming, link, player and the last ball.

Usage: dashboard.py [--socket PATH] [--seconds SECONDS]

On a terminal the line is renewed in place; elsewhere each change is a line. It only shows: to stop
the machine, run `ballmachine stop`. When the bridge goes, it says so, and connects again. Ends with
Ctrl-C, or after so many seconds.

The socket of `ballmachine simulate` is /tmp/ballmachine-simulation-UID/control.sock.
"""

import argparse
import json
import math
import os
import socket
import struct
import sys
import time


def believe(connection, path):
    """Only root, this user and the owner of the folder can be the bridge."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    _, user, _ = struct.unpack("3i", credentials)
    owner = os.stat(os.path.dirname(os.path.abspath(path))).st_uid
    if user not in (0, os.getuid(), owner):
        raise PermissionError(f"user {user} listens on {path}, who is not the bridge's")


# What became of a stop; any other outcome: it may not have reached the machine.
STOPS = {
    "confirmed": "stopped",
    "alreadyStopped": "stopped",
    "pending": "stopping",
    "notDelivered": "stop NOT delivered",
}


class Board:
    """What is known of the bridge."""

    def __init__(self):
        self.mode = self.arming = self.link = "?"
        self.player = "not seen"
        self.seen = -math.inf
        self.ball = "no ball yet"

    def hear(self, message):
        """Takes an event, or an answer of `status`, which has the countdown's rest."""
        if message.get("method") == "event":
            self.take(message["params"])
        elif message.get("id") == 2:
            self.arm(message["result"]["safety"])

    def arm(self, safety):
        self.arming = safety["state"]
        if "stop" in safety:
            self.arming = STOPS.get(safety["stop"]["outcome"], "stop unconfirmed")
        if "remaining" in safety:
            self.arming += f" {safety['remaining']:.0f} s"

    def take(self, record):
        """A record that this program doesn't know changes nothing."""
        event = record.get("event")
        if event == "safety":
            self.arm(record)
        elif event == "link":
            self.link = record["state"]
            self.mode = record.get("mode") or "?"
        elif event == "position":
            self.player = f"{record['x']:.1f} {record['y']:.1f}"
            self.seen = time.monotonic()
        elif event in ("dispatch", "manual"):
            self.ball = f"ball {record['number']} {record.get('outcome', 'on its way')}"

    def __str__(self):
        player = self.player if time.monotonic() - self.seen < 1 else "not seen"
        return f"{self.mode:4}  {self.arming:18}  link {self.link:12}  player {player:10}  {self.ball}"


class Line:
    """The line on the terminal."""

    def __init__(self):
        self.last = None

    def show(self, text):
        if text == self.last:
            return
        self.last = text
        if sys.stdout.isatty():
            print(f"\r\x1b[K{text}", end="", flush=True)
        else:
            print(text, flush=True)


def follow(path, line, end):
    """Shows the bridge over one connection."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        believe(connection, path)
        request = {"jsonrpc": "2.0", "id": 1, "method": "subscribe", "params": {"player": 0.2}}
        connection.sendall(json.dumps(request).encode() + b"\n")
        connection.settimeout(0.5)
        board, rest = Board(), b""
        asked = heard = time.monotonic()
        while (now := time.monotonic()) < end:
            # Without a question, a bridge that hangs is as silent as one where nothing happens.
            if now - asked > 1:
                connection.sendall(b'{"jsonrpc": "2.0", "id": 2, "method": "status"}\n')
                asked = now
            try:
                received = connection.recv(65536)
            except TimeoutError:
                silence = time.monotonic() - heard
                line.show(str(board) if silence < 2 else f"no answer for {silence:.0f} s")
                continue
            heard = time.monotonic()
            if not received:
                raise ConnectionError("the bridge has ended the connection")
            *messages, rest = (rest + received).split(b"\n")
            for message in map(json.loads, messages):
                if "error" in message:
                    raise PermissionError(message["error"]["message"])
                board.hear(message)
            line.show(str(board))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--socket", default="/run/ballmachine/control.sock")
    parser.add_argument("--seconds", type=float, default=math.inf, help="ends after this time")
    options = parser.parse_args()
    line = Line()
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        try:
            follow(options.socket, line, end)
        except OSError as error:
            line.show(f"no bridge: {error}")
            time.sleep(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print()
