"""A controller for a kernel without /dev/vhci, such as Debian's for arm64: at a UART, as a Raspberry Pi's is.

The UART is a pseudo-terminal, which the kernel's hci_uart makes a controller of.
"""

import asyncio
import fcntl
import os
import struct
import termios
import tty

from bumble.transport.common import PacketParser

# Source: Linux include/uapi/linux/tty.h, drivers/bluetooth/hci_uart.h.
N_HCI = 15
SET_PROTOCOL, GET_DEVICE, SET_FLAGS = 0x400455C8, 0x800455CA, 0x400455CB
H4 = 0
# The kernel resets the controller as it begins with it, and not as it ends: the controller is gone by then.
RESET_ON_INIT = 1 << 1


def is_there():
    """Whether the kernel has what makes a controller of a UART."""
    return os.path.exists("/sys/module/hci_uart")


class SerialDevice:
    """Hands the kernel's packets to a controller, and the controller's to the kernel."""

    def __init__(self, controller):
        self._controller = controller
        self._loop = asyncio.get_running_loop()
        self._ours, self._kernels = os.openpty()
        try:
            tty.setraw(self._kernels)
            os.set_blocking(self._ours, False)
            fcntl.ioctl(self._kernels, termios.TIOCSETD, struct.pack("i", N_HCI))
        except OSError:
            os.close(self._kernels)
            os.close(self._ours)
            raise
        self._parser = PacketParser(controller)
        self._unsent = bytearray()
        controller.host = self
        self._loop.add_reader(self._ours, self._read)

    async def register(self):
        """Returns the name that the kernel gave it, such as hci0."""
        fcntl.ioctl(self._kernels, SET_FLAGS, RESET_ON_INIT)
        fcntl.ioctl(self._kernels, SET_PROTOCOL, H4)
        return f"hci{fcntl.ioctl(self._kernels, GET_DEVICE)}"

    def close(self):
        if self._ours is None:
            return
        self._controller.host = None
        self._loop.remove_reader(self._ours)
        self._loop.remove_writer(self._ours)
        # As a UART that is unplugged: the kernel removes its controller.
        os.close(self._ours)
        os.close(self._kernels)
        self._ours = None

    def on_packet(self, packet):
        """From the controller."""
        if self._ours is not None:
            self._unsent += packet
            self._write()

    def _write(self):
        """What the terminal doesn't take now, it takes later."""
        try:
            del self._unsent[: os.write(self._ours, self._unsent)]
        except BlockingIOError:
            pass
        if self._unsent:
            self._loop.add_writer(self._ours, self._write)
        else:
            self._loop.remove_writer(self._ours)

    def _read(self):
        try:
            data = os.read(self._ours, 4096)
        except BlockingIOError:
            return
        self._parser.feed_data(data)
