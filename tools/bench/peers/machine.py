"""The machine of mock.c, and how a peer prints its results."""

import json
import os
import time

NUMBER = int(os.environ.get("BENCH_MACHINE", "0"))
ADDRESS = f"F0:F1:F2:F3:F4:{NUMBER:02X}"
NAME = "BallMachine"
PATH = "/org/bluez/hci0/dev_" + ADDRESS.replace(":", "_")
SERVICE = "12345678-1234-1234-1234-123456789abc"
CHARACTERISTIC = "abcd1234-1234-1234-1234-abcdef123456"
COMMAND = b"110001060014004500"


def tell(**result):
    print(json.dumps(result), flush=True)


class Stopwatch:
    """How long each of many things took that follow each other."""

    def __init__(self, connect):
        self.connect = connect
        self.samples = []
        self.start = self.before = time.perf_counter()

    def lap(self):
        now = time.perf_counter()
        self.samples.append(now - self.before)
        self.before = now

    def tell(self, **more):
        tell(
            connect=self.connect,
            seconds=self.before - self.start,
            samples=self.samples,
            **more,
        )
