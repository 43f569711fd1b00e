"""The same work with SimpleBLE, through its Python binding.

Usage: simplepyble_peer.py write COUNT | hold | refused SECONDS
"""

import contextlib
import os
import sys
import threading
import time

import machine
import simplepyble


def find():
    """SimpleBLE knows only what it has seen in a scan."""
    adapter = simplepyble.Adapter.get_adapters()[0]
    for _ in range(10):
        adapter.scan_for(100)
        for peripheral in adapter.scan_get_results():
            if peripheral.address() == machine.ADDRESS:
                return peripheral
    raise SystemExit("the machine was not seen")


def write(peripheral):
    peripheral.write_request(machine.SERVICE, machine.CHARACTERISTIC, machine.COMMAND)


def write_many(peripheral, count, seconds):
    """Writes until a reply is lost, for which SimpleBLE would wait for half a minute.

    It does lose replies that come before its writing thread has begun to wait for them.
    """
    watches = [machine.Stopwatch(seconds)]

    def work():
        for _ in range(count // 10):
            write(peripheral)
            watches[0].lap()
        watch = machine.Stopwatch(seconds)
        watches[0] = watch
        for _ in range(count):
            write(peripheral)
            watch.lap()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    written = -1
    while thread.is_alive() and len(watches[0].samples) != written:
        written = len(watches[0].samples)
        thread.join(1)
    is_lost = thread.is_alive()
    watches[0].tell(lost=is_lost)
    if is_lost:
        os._exit(0)


def main(action, value="0"):
    peripheral = find()
    if action == "refused":
        end = time.monotonic() + float(value)
        while time.monotonic() < end:
            with contextlib.suppress(RuntimeError):
                peripheral.connect()
        machine.tell()
        return
    start = time.perf_counter()
    peripheral.connect()
    seconds = time.perf_counter() - start
    if action == "write":
        write_many(peripheral, int(value), seconds)
    elif action == "hold":
        write(peripheral)
        machine.tell(ready=True)
        sys.stdin.read()
    peripheral.disconnect()


main(*sys.argv[1:])
