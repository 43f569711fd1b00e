#!/usr/bin/env python3
"""Feeds the bridge with a player's positions: put your detector where `walk` is.

Usage: feeder.py [--socket PATH] [--rate HERTZ] [--seconds SECONDS]

Sends a line of JSON for each position, and prints why the bridge refuses one. When the bridge goes,
it connects again. Ends with Ctrl-C, or after so many seconds.

The socket of `ballmachine simulate` is /tmp/ballmachine-simulation-UID/positions.sock.
"""

import argparse
import json
import math
import socket
import sys
import time


def walk(seconds):
    """Where the player is, in metres: x from the left sideline, y from the net."""
    return 4.1 + 3 * math.sin(seconds / 2), 10 + 1.5 * math.sin(seconds / 3)


def refusals(feed):
    """Prints what the bridge has replied so far."""
    try:
        replies = feed.recv(65536, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return
    if not replies:
        raise ConnectionError("the bridge has ended the connection")
    for line in replies.decode().splitlines():
        reply = json.loads(line)
        if "reason" in reply:
            print(f"line {reply['line']} was refused: {reply['reason']}", file=sys.stderr)


def feed_until(end, path, rate, start):
    """Feeds over one connection."""
    with socket.socket(socket.AF_UNIX) as feed:
        feed.connect(path)
        feed.sendall(b'{"replies": true}\n')
        while (now := time.monotonic()) < end:
            x, y = walk(now - start)
            position = {"x": round(x, 3), "y": round(y, 3), "id": "example"}
            feed.sendall(json.dumps(position).encode() + b"\n")
            refusals(feed)
            time.sleep(1 / rate)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--socket", default="/run/ballmachine/positions.sock")
    parser.add_argument("--rate", type=float, default=10, help="positions a second")
    parser.add_argument("--seconds", type=float, default=math.inf, help="ends after this time")
    options = parser.parse_args()
    start = time.monotonic()
    end = start + options.seconds
    while time.monotonic() < end:
        try:
            feed_until(end, options.socket, options.rate, start)
        except OSError as error:
            print(f"{options.socket}: {error}; trying again", file=sys.stderr)
            time.sleep(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
