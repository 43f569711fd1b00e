"""One ball machine: its own controller, host and GATT server, and what befalls it."""

import asyncio

from bumble import hci
from bumble.core import UUID
from bumble.device import AdvertisingType, Device, DeviceConfiguration
from bumble.gatt import GATT_PRIMARY_SERVICE_ATTRIBUTE_TYPE
from bumble.host import Host

from . import profiles
from .answers import Answers
from .controllers import MachineController
from .description import advertising
from .errors import MachineError
from .faults import Faults
from .server import MachineServer

# Milliseconds; what a mains-powered machine may well use.
ADVERTISING_INTERVAL = 100

REMOTE_USER = 0x13
OUT_OF_RANGE = 0x08


class Machine:
    """A machine on the air."""

    def __init__(self, description, radio, events, adapter_name):
        self.description = description
        self.faults = Faults()
        self.answers = Answers(self)
        self._radio = radio
        self._events = events
        # The name of the adapter with this address.
        self._adapter_name = adapter_name
        self._end_reason = None
        self._ended = asyncio.Event()
        self._ended.set()
        self._build()

    @property
    def address(self):
        return self.description.address

    def is_at(self, address):
        return self.controller.le_legacy_advertiser.address == address

    @property
    def connection(self):
        return next(iter(self.device.connections.values()), None)

    def tell(self, event, **fields):
        self._events.tell(event, machine=self.address, **fields)

    # Life

    def _build(self):
        """Radio, host and server for the address that it has now."""
        told = self.description
        kind = (
            hci.Address.PUBLIC_DEVICE_ADDRESS
            if told.is_public
            else hci.Address.RANDOM_DEVICE_ADDRESS
        )
        address = hci.Address(told.address, kind)
        self.controller = MachineController(
            told.address, self._radio, address if told.is_public else None
        )
        self.controller.le_legacy_advertiser.rssi = told.rssi
        self.controller.is_silent = True
        host = Host()
        host.controller = self.controller
        configuration = DeviceConfiguration(
            name=told.gap_name or "",
            address=hci.Address.ANY_RANDOM if told.is_public else address,
            gap_service_enabled=False,
            gatt_service_enabled=False,
            advertising_interval_min=ADVERTISING_INTERVAL,
            advertising_interval_max=ADVERTISING_INTERVAL,
        )
        self.device = Device(config=configuration, host=host)
        self.device.gatt_server = self.server = MachineServer(self.device, self)
        self.server.max_mtu = told.mtu
        self.server.lay_out(self._services())
        self.device.on(Device.EVENT_CONNECTION, self._on_connection)

    def _services(self):
        told = self.description
        return profiles.services(
            profiles.PROFILES[told.profile],
            told.gap_name or "",
            told.flags,
            self.server.database_hash if told.has_database_hash else None,
            told.encoding == "framed",
        )

    async def start(self):
        told = self.description
        data, scan_response = advertising(told.name, told.advertised)
        await self.device.power_on()
        await self.device.start_advertising(
            advertising_type=AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE,
            own_address_type=(
                hci.OwnAddressType.PUBLIC if told.is_public else hci.OwnAddressType.RANDOM
            ),
            advertising_data=data,
            scan_response_data=scan_response,
        )
        # Bumble forgets it at a connection, and could restart it only by commands.
        self._advertiser = self.device.legacy_advertiser
        if not told.is_absent:
            self.appear()

    async def end(self):
        """Off the air for good; a link of its falls at once."""
        self.answers.end_garbage()
        self.controller.is_silent = True
        for connection in list(self.controller.le_connections.values()):
            other, theirs = self._radio.find_peer(self.controller, connection)
            if other is not None:
                other.lose(theirs, OUT_OF_RANGE)
            self.controller.lose(connection, OUT_OF_RANGE)
        await self._ended.wait()
        self.controller.leave()

    def appear(self):
        if not self.controller.is_silent:
            return
        self.controller.is_silent = False
        self._advertise()

    def _advertise(self):
        if not self.controller.is_silent and not self.controller.le_connections:
            self.controller.le_legacy_advertiser.start()
            self.tell("advertising", on=True)

    async def vanish(self):
        if not self.controller.is_silent:
            self.controller.is_silent = True
            self.tell("advertising", on=False)
        await self.fall_out_of_range()

    async def fall_out_of_range(self):
        """The link times out; while it does, nothing comes through."""
        was_silent, self.controller.is_silent = self.controller.is_silent, True
        try:
            await self._radio.time_out(self.controller, OUT_OF_RANGE)
            await self._ended.wait()
        finally:
            self.controller.is_silent = was_silent
            self._advertise()

    def blame(self, reason):
        """Records in advance why the link will end, where its code alone doesn't show it."""
        if self.connection:
            self._end_reason = reason

    def drop(self, reason=REMOTE_USER):
        """The machine ends its link."""
        for connection in list(self.controller.le_connections.values()):
            self.blame("remote")
            self.controller.terminate(connection, reason)

    async def dropped(self, reason=REMOTE_USER):
        self.require_connection()
        if reason == OUT_OF_RANGE:
            await self.fall_out_of_range()
        else:
            self.drop(reason)
            await self._ended.wait()

    async def move(self, address):
        """Goes on under another address."""
        self.description.is_absent = self.controller.is_silent
        self.drop()
        # Its old address is heard no more, not even once after the link's end.
        self.controller.is_silent = True
        await self._ended.wait()
        self.controller.leave()
        self.description.address = address
        self._build()
        await self.start()

    # GATT

    async def change_table(self, profile, silently):
        """Another table; unless silently, its client is indicated what has changed."""
        before = self.server.digest()
        self.description.profile = profile
        self.description.flags = None
        self.server.lay_out(self._services())
        connection = self.connection
        if silently or connection is None:
            return
        changed = self.server.find(profiles.UUID_SERVICE_CHANGED)
        if not self.server.subscription(connection, changed) & 2:
            raise MachineError(
                "the table has changed, but its client has not subscribed to Service Changed: "
                "it was told nothing"
            )
        first, last = _changed_range(before, self.server.digest())
        value = first.to_bytes(2, "little") + last.to_bytes(2, "little")
        await self.server.indicate_subscriber(connection, changed, value)

    def takes_frames(self, characteristic):
        """Whether what is written there must be a frame."""
        own = profiles.PROFILES[self.description.profile].characteristics
        return self.description.encoding == "framed" and any(
            characteristic.uuid == UUID(uuid) for uuid, _ in own
        )

    def notify(self, value):
        connection = self.require_connection()
        characteristic = self.server.notifier()
        if characteristic is None:
            raise MachineError(f"{self.address} has nothing that notifies")
        if not self.server.subscription(connection, characteristic) & 1:
            raise MachineError(f"no client has subscribed to {self.address}")
        self.server.send_notification(connection, value)

    def require_connection(self):
        connection = self.connection
        if connection is None:
            raise MachineError(f"{self.address} is not connected")
        return connection

    # Bumble's events

    def _on_connection(self, connection):
        self._ended.clear()
        self.device.legacy_advertiser = self._advertiser
        adapter = self._adapter_name(connection.peer_address)
        self.tell("connected", adapter=adapter)
        connection.once("disconnection", lambda reason: self._on_disconnection(adapter, reason))

    def _on_disconnection(self, adapter, code):
        reason, self._end_reason = self._end_reason or _reason(code), None
        self.tell("disconnected", adapter=adapter, reason=reason, code=code)
        self._advertise()
        self._ended.set()


def _reason(code):
    """What a link's end looks like from the bridge's side, in the mock's words."""
    match code:
        case 0x08:
            return "timeout"
        case 0x15:
            return "adapter-off"
        case 0x3E:
            return "failed-to-establish"
        case _:
            return "local"


def _changed_range(before, after):
    """The handles that a Service Changed indication names: of whole services, as Vol 3, Part G, 7.1
    of the Core Specification has it."""
    last = max(len(before), len(after))
    first = 0
    while first < last - 1 and before[first : first + 1] == after[first : first + 1]:
        first += 1
    if not all(_begins_service(table, first) for table in (before, after)):
        # What was added, removed or changed belongs to the service before it.
        first -= 1
        while not _begins_service(after, first):
            first -= 1
    return first + 1, last


def _begins_service(table, index):
    return index >= len(table) or table[index][1] == str(GATT_PRIMARY_SERVICE_ATTRIBUTE_TYPE)
