"""The controllers on the air: what all of them share, and the machines' own."""

import asyncio

from bumble import hci, ll
from bumble.controller import Controller, LegacyAdvertiser

from .radio import Advertisement

Code = hci.HCI_ErrorCode

# A controller of Bluetooth 5.0 without extended advertising: what most USB sticks are to BlueZ.
FEATURES = (
    hci.LeFeatureMask.LE_ENCRYPTION
    | hci.LeFeatureMask.CONNECTION_PARAMETERS_REQUEST_PROCEDURE
    | hci.LeFeatureMask.EXTENDED_REJECT_INDICATION
    | hci.LeFeatureMask.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
    | hci.LeFeatureMask.LE_PING
    | hci.LeFeatureMask.LE_DATA_PACKET_LENGTH_EXTENSION
)
# One link-layer packet with data length extension.
ACL_DATA_LENGTH = 251


class RadioController(Controller):
    """What both kinds share: they may be silent, and lose a link."""

    le_features = FEATURES
    acl_data_packet_length = ACL_DATA_LENGTH
    le_acl_data_packet_length = ACL_DATA_LENGTH
    supported_max_tx_octets = ACL_DATA_LENGTH
    supported_max_rx_octets = ACL_DATA_LENGTH
    # Switched off or out of range: it hears no device, and no device hears it.
    is_silent = False

    def leave(self):
        """Off the air for good."""
        self.is_silent = True
        self.le_legacy_advertiser.stop()
        self.host = None
        self.link.controllers.discard(self)

    def lose(self, connection, reason):
        """Tells the host that a link is gone, unless it is already."""
        if self.le_connections.get(connection.peer_address) is connection:
            self.on_le_disconnected(connection, reason)

    def terminate(self, connection, reason):
        """Ends a link; the other side hears the reason."""
        connection.send_ll_control_pdu(ll.TerminateInd(reason))
        self.lose(connection, Code.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR)

    def on_hci_disconnect_command(self, command):
        # Bumble's gives its own host the reason that is meant for the other side.
        connection = self.find_le_connection_by_handle(command.connection_handle)
        if connection is None:
            self._send_hci_command_status(Code.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, command.op_code)
            return
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        self.terminate(connection, command.reason)

    def on_hci_command(self, command):
        # Bumble's answers nothing at all to an unknown command that ends with Command Status.
        if isinstance(command, hci.HCI_SyncCommand):
            return super().on_hci_command(command)
        self._send_hci_command_status(Code.UNKNOWN_HCI_COMMAND_ERROR, command.op_code)
        return None


class MachineAdvertiser(LegacyAdvertiser):
    """Bumble's takes the interval for milliseconds and never sends the scan response."""

    rssi = -60

    def _on_timer_fired(self):
        self.send_advertising_data()
        self.timer_handle = asyncio.get_running_loop().call_later(
            self.advertising_interval_min * 0.625 / 1000, self._on_timer_fired
        )

    def send_advertising_data(self):
        if self.enabled and not self.controller.is_silent:
            self.controller.send_advertising_pdu(
                Advertisement(
                    advertiser_address=self.address,
                    data=self.advertising_data,
                    scan_response=self.scan_response_data,
                    rssi=self.rssi,
                )
            )


class MachineController(RadioController):
    """A peripheral's controller."""

    def __init__(self, name, link, public_address=None):
        super().__init__(name, link=link, public_address=public_address)
        self.le_legacy_advertiser = MachineAdvertiser(self)

    def on_ll_advertising_pdu(self, packet):
        pass  # It never scans, and adapters connect by `on_le_connect_ind`.

    def on_le_connect_ind(self, packet):
        super().on_le_connect_ind(packet)
        connection = self.le_connections.get(packet.initiator_address)
        if connection is not None:
            connection.supervision_timeout = packet.timeout * 0.01
