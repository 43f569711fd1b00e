"""The same work with bleak; with --retry through bleak-retry-connector, as its users connect.

Usage: bleak_peer.py [--retry] write COUNT | hold | keep | refused SECONDS
"""

import asyncio
import contextlib
import sys
import time

import machine
from bleak import BleakClient
from bleak.backends.device import BLEDevice
from bleak_retry_connector import BleakClientWithServiceCache, establish_connection

# What a scan of BlueZ's would have found: bleak then does without a scan of its own.
DEVICE = BLEDevice(machine.ADDRESS, machine.NAME, {"path": machine.PATH, "props": {}})


class Peer:
    def __init__(self, retries):
        self.retries = retries
        self.client = None

    async def connect(self):
        if self.retries:
            self.client = await establish_connection(
                BleakClientWithServiceCache, DEVICE, machine.NAME
            )
        else:
            self.client = BleakClient(DEVICE)
            await self.client.connect()

    async def keep(self):
        """Connects again whenever the link is lost, and says when a command has got through."""
        lost = asyncio.Event()
        while True:
            lost.clear()
            self.client = await establish_connection(
                BleakClientWithServiceCache,
                DEVICE,
                machine.NAME,
                disconnected_callback=lambda _: lost.set(),
            )
            while not lost.is_set():
                # With services from its cache it is back before BlueZ can write.
                with contextlib.suppress(Exception):
                    await self.write()
                    machine.tell(written=time.monotonic())
                    await lost.wait()
                await asyncio.sleep(0.01)

    async def write(self):
        await self.client.write_gatt_char(machine.CHARACTERISTIC, machine.COMMAND, response=True)

    async def connect_in_vain(self, end):
        while time.monotonic() < end:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self.connect(), end - time.monotonic())
                raise SystemExit("the machine did not refuse")


async def end_of_input():
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


async def main(arguments):
    retries = arguments[:1] == ["--retry"]
    action, *values = arguments[1:] if retries else arguments
    peer = Peer(retries)
    if action == "refused":
        await peer.connect_in_vain(time.monotonic() + float(values[0]))
        machine.tell()
        return
    if action == "keep":
        keeping = asyncio.create_task(peer.keep())
        await end_of_input()
        keeping.cancel()
        await peer.client.disconnect()
        return
    start = time.perf_counter()
    await peer.connect()
    seconds = time.perf_counter() - start
    if action == "write":
        count = int(values[0])
        for _ in range(count // 10):
            await peer.write()
        watch = machine.Stopwatch(seconds)
        for _ in range(count):
            await peer.write()
            watch.lap()
        watch.tell()
    elif action == "hold":
        await peer.write()
        machine.tell(ready=True)
        await end_of_input()
    await peer.client.disconnect()


asyncio.run(main(sys.argv[1:]))
