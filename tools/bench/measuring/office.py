"""The office's table, live on a terminal of its own."""

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading

from .processes import Failure

SIZE = 24, 80


class Office:
    """`ballmachine-mqtt status', once it shows something."""

    def __init__(self, programs, port):
        self.near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("4H", *SIZE, 0, 0))
        self.size = 0
        self.shown = threading.Event()
        try:
            self.process = subprocess.Popen(
                [programs / "ballmachine-mqtt", "status", "--broker", f"127.0.0.1:{port}"],
                stdin=far, stdout=far, stderr=far, start_new_session=True, env=os.environ | {"TERM": "xterm-256color"})
        finally:
            os.close(far)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def __enter__(self):
        if not self.shown.wait(20):
            self.__exit__()
            raise Failure("`ballmachine-mqtt status' shows no table")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.reader.join()
        os.close(self.near)

    @property
    def identifier(self):
        return self.process.pid

    def _read(self):
        # The terminal ends with an error.
        with contextlib.suppress(OSError):
            while data := os.read(self.near, 1 << 16):
                self.size += len(data)
                self.shown.set()
