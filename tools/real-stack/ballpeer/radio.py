"""The air: every controller of the kernel's and of the machines hears every other one."""

import asyncio
import dataclasses

from bumble import ll
from bumble.core import PhysicalTransport
from bumble.link import LocalLink


@dataclasses.dataclass
class Advertisement(ll.AdvInd):
    """One advertising event, with what an active scanner would be answered."""

    scan_response: bytes = b""
    rssi: int = -60


class Radio(LocalLink):
    """Bumble's link, on which a controller may fall silent, and links time out.

    LocalLink names the sender of data by its random address, so that a central that connects from
    its public one, as the kernel does, never gets any; and a missing receiver is an error to it.
    """

    def find_advertiser(self, address):
        """The controller that can be connected to at this address now."""
        for controller in self.controllers:
            advertiser = controller.le_legacy_advertiser
            if advertiser.enabled and not controller.is_silent and advertiser.address == address:
                return controller
        return None

    def find_peer(self, controller, connection):
        """The controller at the other end of a connection, and its connection."""
        for other in self.controllers:
            if other is controller:
                continue
            theirs = other.le_connections.get(connection.self_address)
            if theirs and theirs.self_address == connection.peer_address:
                return other, theirs
        return None, None

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        if transport != PhysicalTransport.LE or sender_controller.is_silent:
            return
        connection = sender_controller.le_connections.get(destination_address)
        receiver, _ = connection and self.find_peer(sender_controller, connection) or (None, None)
        if receiver is None or receiver.is_silent:
            return
        asyncio.get_running_loop().call_soon(
            receiver.on_link_acl_data, connection.self_address, transport, data
        )

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        ends = (self.find_le_controller(sender_address), self.find_le_controller(receiver_address))
        if any(end is None or end.is_silent for end in ends):
            return
        # A link of which only one end knows is not established, or is over.
        if ends[1].le_connections.get(sender_address):
            super().send_ll_control_pdu(sender_address, receiver_address, packet)

    async def time_out(self, controller, reason):
        """The links of this controller fall at both ends, once nothing was heard for their
        supervision time-out."""
        for connection in list(controller.le_connections.values()):
            other, theirs = self.find_peer(controller, connection)
            await asyncio.sleep(connection.supervision_timeout)
            if other is not None:
                other.lose(theirs, reason)
            controller.lose(connection, reason)
