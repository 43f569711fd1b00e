"""The peer's control: lines in, answers and events out."""

import asyncio
import json
import os
import sys

from .errors import LineError, MachineError
from .events import now
from .verbs import help_text, perform

# A client that leaves more than this unread is dropped: the peer never waits for a client.
LARGEST_BACKLOG = 4 * 1024 * 1024
LONGEST_LINE = 64 * 1024


def encode(event):
    return json.dumps(event, ensure_ascii=False).encode() + b"\n"


class Session:
    """One client: its lines are done in order and answered in order; it hears every event."""

    def __init__(self, world, events, transport, quit_):
        self._world = world
        self._events = events
        self._transport = transport
        self._quit = quit_

    def write(self, event):
        if self._transport.is_closing():
            return
        self._transport.write(encode(event))
        if self._transport.get_write_buffer_size() > LARGEST_BACKLOG:
            print("peer: a client doesn't read and is dropped", file=sys.stderr, flush=True)
            self._transport.abort()

    async def run(self, reader):
        self.write({"event": "up", "t": now()})
        stop_listening = self._events.listen(self.write)
        try:
            number = 0
            while line := await reader.readline():
                number += 1
                await self._answer(number, line)
        except (ConnectionError, ValueError) as error:  # ValueError: a line without an end.
            self.write({"event": "error", "message": str(error), "t": now()})
        finally:
            stop_listening()
            self._transport.close()

    async def _answer(self, number, line):
        try:
            name = await perform(self._world, line.decode())
        except (LineError, MachineError, UnicodeDecodeError) as error:
            self.write({"event": "error", "line": number, "message": str(error), "t": now()})
            return
        except Exception as error:  # A defect: all clients get it, and this line is answered too.
            self._events.tell_defect(f"line {number}", error)
            self.write({"event": "error", "line": number, "message": repr(error), "t": now()})
            return
        if name is None:
            return
        if name == "help":
            self.write({"event": "help", "text": help_text(), "t": now()})
        self._events.tell("verb", verb=name)
        self.write({"event": "done", "line": number, "verb": name, "t": now()})
        if name == "quit":
            self._quit()


async def serve_socket(path, world, events, quit_):
    """Listens on a Unix stream socket; one without a listener is replaced."""
    if os.path.exists(path):
        os.unlink(path)

    # Tasks of our own: asyncio's would log their cancellation at the end as an error.
    sessions = set()

    async def serve(reader, writer):
        # From Python 3.13 on, a writer without a reference to it closes its connection.
        await Session(world, events, writer.transport, quit_).run(reader)
        writer.close()

    def client(reader, writer):
        task = asyncio.create_task(serve(reader, writer))
        sessions.add(task)
        task.add_done_callback(sessions.discard)

    return await asyncio.start_unix_server(client, path, limit=LONGEST_LINE)


async def serve_standard_input(world, events, output, quit_):
    """Lines from standard input, until its end."""
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    await Session(world, events, output, quit_).run(reader)


class FileOutput:
    """Standard output that is a regular file, which asyncio has no transport for."""

    def __init__(self, file):
        self._file = file

    def write(self, data):
        os.write(self._file, data)

    def is_closing(self):
        return False

    def get_write_buffer_size(self):
        return 0

    def abort(self):
        pass

    close = abort


async def open_standard_output():
    """A transport that never blocks."""
    try:
        transport, _ = await asyncio.get_running_loop().connect_write_pipe(
            asyncio.BaseProtocol, sys.stdout
        )
        return transport
    except ValueError:  # Neither pipe, socket nor terminal.
        return FileOutput(sys.stdout.fileno())
