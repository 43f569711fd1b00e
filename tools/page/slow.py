"""A slow radio between a phone and the page: Chromium's own throttling delays requests, not connections, and each
by itself; here all bytes share one line, and the first ones wait for the connection, too."""

import asyncio
import contextlib
import threading

from box import PORTS

# From one end to the other and back, in seconds, and what the line takes in each direction: bytes a second.
ROUND_TRIP = 0.2
RATE = 8000
# What a packet carries at most.
PACKET = 1460


class Direction:
    """One packet after the other."""

    def __init__(self):
        self.free = 0.0

    def arrival(self, size, begin):
        self.free = max(self.free, begin) + size / RATE
        return self.free + ROUND_TRIP / 2


class SlowLine:
    """A port that leads to the page's over a line with a delay and a rate. It ends with the `with' block."""

    def __enter__(self):
        self.up, self.down = Direction(), Direction()
        self.loop = asyncio.new_event_loop()
        self.server = self.loop.run_until_complete(asyncio.start_server(self._connect, "127.0.0.1", 0))
        self.port = self.server.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    async def _connect(self, phone, to_phone):
        begin = self.loop.time()
        page, to_page = await asyncio.open_connection("127.0.0.1", PORTS[0])
        # The kernel has let the phone in at once; over the line that takes a round trip.
        await asyncio.gather(self._carry(phone, to_page, self.up, begin + ROUND_TRIP),
                             self._carry(page, to_phone, self.down, begin))

    async def _carry(self, source, target, direction, earliest):
        arrival = earliest
        with contextlib.suppress(ConnectionError):
            while data := await source.read(PACKET):
                # Meanwhile the next packets set out.
                arrival = direction.arrival(len(data), max(self.loop.time(), earliest))
                self.loop.call_at(arrival, target.write, data)
        # What is due at the same moment has no order.
        self.loop.call_at(arrival + 0.001, target.close)
