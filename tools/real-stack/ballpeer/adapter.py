"""A controller of the kernel's: the central at the other end of the machines' links."""

import asyncio
import dataclasses

from bumble import hci, ll
from bumble.controller import Connection
from bumble.core import PhysicalTransport

from .controllers import Code, RadioController


class AdapterController(RadioController):
    """A central's controller: scans with accept list and filter of duplicates, waits for the peer
    of a pending connection as long as it takes, and can be set not to. Bumble's does neither."""

    def __init__(self, name, link, public_address):
        super().__init__(name, link=link, public_address=public_address)
        self.accept_list = set()
        self.reported = set()
        # Whether this link to an address fails to be established; a fault asks to be set here.
        self.fails_to_establish = lambda address: False

    # Scanning

    def on_advertising_pdu(self, pdu):
        if self.is_silent:
            return
        if self.le_scan_enable and self._accepts(self.le_scanning_filter_policy, pdu):
            self._report(hci.HCI_LE_Advertising_Report_Event.EventType.ADV_IND, pdu, pdu.data)
            if self.le_scan_type == 1:  # active
                kind = hci.HCI_LE_Advertising_Report_Event.EventType.SCAN_RSP
                self._report(kind, pdu, pdu.scan_response)
        pending = self.pending_le_connection
        if pending and (
            self._accepts(1, pdu)
            if pending.initiator_filter_policy == 1
            else pending.peer_address == pdu.advertiser_address
        ):
            self._connect(pending, pdu.advertiser_address)

    def _accepts(self, policy, pdu):
        # Policies 1 and 3 use the accept list. Source: Bluetooth Core 5.4, Vol 4, Part E, 7.8.10.
        return policy not in (1, 3) or pdu.advertiser_address in self.accept_list

    def _report(self, kind, pdu, data):
        key = (kind, str(pdu.advertiser_address), data)
        if self.filter_duplicates and key in self.reported:
            return
        self.reported.add(key)
        address = pdu.advertiser_address
        report = hci.HCI_LE_Advertising_Report_Event.Report(
            event_type=kind,
            address_type=address.address_type,
            address=address,
            data=data,
            rssi=pdu.rssi,
        )
        self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))

    def on_hci_le_set_scan_enable_command(self, command):
        self.reported.clear()
        return super().on_hci_le_set_scan_enable_command(command)

    # Accept list

    def on_hci_le_clear_filter_accept_list_command(self, command):
        self.accept_list.clear()
        return super().on_hci_le_clear_filter_accept_list_command(command)

    def on_hci_le_add_device_to_filter_accept_list_command(self, command):
        self.accept_list.add(command.address)
        return super().on_hci_le_add_device_to_filter_accept_list_command(command)

    def on_hci_le_remove_device_from_filter_accept_list_command(self, command):
        self.accept_list.discard(command.address)
        return super().on_hci_le_remove_device_from_filter_accept_list_command(command)

    # Connecting

    def _connect(self, pending, peer_address):
        advertiser = self.link.find_advertiser(peer_address)
        if advertiser is None or self.le_connections.get(peer_address):
            return
        self.pending_le_connection = None
        is_public = pending.own_address_type == hci.OwnAddressType.PUBLIC
        connection = Connection(
            controller=self,
            handle=self.allocate_connection_handle(),
            role=hci.Role.CENTRAL,
            self_address=self.public_address if is_public else self.random_address,
            peer_address=peer_address,
            link=self.link,
            transport=PhysicalTransport.LE,
            link_type=hci.HCI_Connection_Complete_Event.LinkType.ACL,
        )
        connection.supervision_timeout = pending.supervision_timeout * 0.01
        self.le_connections[peer_address] = connection
        fails = self.fails_to_establish(peer_address)
        if not fails:
            advertiser.on_le_connect_ind(
                ll.ConnectInd(
                    initiator_address=connection.self_address,
                    advertiser_address=peer_address,
                    interval=pending.connection_interval_min,
                    latency=pending.max_latency,
                    timeout=pending.supervision_timeout,
                )
            )
        self._complete_connection(Code.SUCCESS, pending, connection.handle, peer_address)
        if fails:
            # The peer doesn't hear the connection indication. A central gives up after six
            # connection events. Source: Bluetooth Core 5.4, Vol 6, Part B, 4.5.2.
            asyncio.get_running_loop().call_later(
                6 * pending.connection_interval_min * 1.25 / 1000,
                self.lose,
                connection,
                Code.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR,
            )

    def _complete_connection(self, status, pending, handle, peer_address):
        self.send_hci_packet(
            hci.HCI_LE_Connection_Complete_Event(
                status=status,
                connection_handle=handle,
                role=hci.Role.CENTRAL,
                peer_address_type=peer_address.address_type,
                peer_address=peer_address,
                connection_interval=pending.connection_interval_min,
                peripheral_latency=pending.max_latency,
                supervision_timeout=pending.supervision_timeout,
                central_clock_accuracy=0,
            )
        )

    def on_hci_le_create_connection_cancel_command(self, command):
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(Code.COMMAND_DISALLOWED_ERROR)
        # After Command Complete, which the caller sends.
        asyncio.get_running_loop().call_soon(
            self._complete_connection,
            Code.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
            pending,
            0,
            pending.peer_address,
        )
        return hci.HCI_StatusReturnParameters(Code.SUCCESS)

    # Reset

    def on_hci_reset_command(self, command):
        self.le_scan_enable = False
        self.filter_duplicates = False
        self.pending_le_connection = None
        self.accept_list.clear()
        self.reported.clear()
        self.abandon()
        return super().on_hci_reset_command(command)

    def abandon(self):
        """Forgets its links without a word; their other ends notice when they time out."""
        connections, self.le_connections = list(self.le_connections.values()), {}
        for connection in connections:
            other, theirs = self.link.find_peer(self, connection)
            if other is not None:
                asyncio.get_running_loop().call_later(
                    theirs.supervision_timeout,
                    other.lose,
                    theirs,
                    Code.CONNECTION_TIMEOUT_ERROR,
                )


@dataclasses.dataclass
class Adapter:
    """A controller of the kernel's, or in a test of Bumble's own host."""

    name: str
    address: str
    controller: AdapterController
    # What the kernel has of it; None in a test.
    device: object = None
