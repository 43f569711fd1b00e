"""What a command shows on a terminal of 80 columns and 24 rows."""
import fcntl
import os
import pty
import re
import signal
import struct
import termios
import time

# The frame that the pages show: some balls have flown, and the last one a second ago.
SHOWN = re.compile(r"delivered 3 .*", re.DOTALL)
AGE = re.compile(r", 1\.\d s ago")
HOME = "\x1b[H"
# Seconds.
LIMIT = 60


def of(command, environment):
    """The frame as text, once the program has drawn it."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment | {"TERM": "xterm", "NO_COLOR": "1"})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    output, begin = b"", time.monotonic()
    try:
        while time.monotonic() - begin < LIMIT:
            output += os.read(terminal, 65536)
            # The last one may be half a frame.
            for frame in output.decode(errors="ignore").split(HOME)[1:-1]:
                if SHOWN.search(frame) and AGE.search(frame):
                    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", frame).rstrip("\n") + "\n"
    except OSError:
        pass
    finally:
        os.kill(child, signal.SIGINT)
        os.close(terminal)
        os.waitpid(child, 0)
    raise RuntimeError(f"{' '.join(command)}: it never showed the frame that is awaited")
