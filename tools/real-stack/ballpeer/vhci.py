"""A controller for the kernel: /dev/vhci, open."""

import asyncio
import os

PATH = "/dev/vhci"
# Source: Linux drivers/bluetooth/hci_vhci.c.
VENDOR_PACKET = 0xFF
CREATE_PRIMARY = 0x00
LARGEST_PACKET = 4096
# Seconds. The kernel answers at once; more than this is a broken one.
REGISTRATION_LIMIT = 10


class VirtualDevice:
    """Hands the kernel's packets to a controller, and the controller's to the kernel.

    The kernel registers the device when it is opened, and removes it when it is closed.
    """

    def __init__(self, controller):
        self._controller = controller
        self._loop = asyncio.get_running_loop()
        self._index = self._loop.create_future()
        self._file = os.open(PATH, os.O_RDWR | os.O_NONBLOCK)
        controller.host = self
        self._loop.add_reader(self._file, self._read)

    async def register(self):
        """Returns the name that the kernel gave it, such as hci0."""
        os.write(self._file, bytes([VENDOR_PACKET, CREATE_PRIMARY]))
        return f"hci{await asyncio.wait_for(self._index, REGISTRATION_LIMIT)}"

    def close(self):
        if self._file is None:
            return
        self._controller.host = None
        self._loop.remove_reader(self._file)
        os.close(self._file)
        self._file = None

    def on_packet(self, packet):
        """From the controller."""
        if self._file is not None:
            os.write(self._file, packet)

    def _read(self):
        try:
            packet = os.read(self._file, LARGEST_PACKET)
        except BlockingIOError:
            return
        if packet[0] == VENDOR_PACKET:
            if not self._index.done():
                self._index.set_result(int.from_bytes(packet[2:4], "little"))
        else:
            self._controller.on_packet(packet)
