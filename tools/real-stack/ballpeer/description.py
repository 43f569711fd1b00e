"""What a machine is, and how it advertises that."""

import dataclasses

from bumble.core import UUID, AdvertisingData

from . import profiles
from .errors import MachineError

# Source: Bluetooth Core 5.4, Vol 6, Part B, 2.3.1: what an advertising PDU has room for.
ADVERTISING_ROOM = 31


@dataclasses.dataclass
class Description:
    """What the verb `machine` says."""

    address: str
    profile: str = "2"
    encoding: str = "digits"
    check_byte: str = "modbus"
    name: str | None = None
    gap_name: str | None = None
    advertised: list | None = None
    flags: list | None = None
    rssi: int = -60
    mtu: int = 247
    is_public: bool = False
    is_absent: bool = False
    has_database_hash: bool = False

    def __post_init__(self):
        usual = profiles.PROFILES[self.profile]
        if self.name is None:
            self.name = usual.name
        if self.gap_name is None:
            self.gap_name = self.name
        if self.advertised is None:
            self.advertised = usual.advertised


def advertising(name, uuids):
    """Advertising data and scan response: flags and UUIDs first, then the name, each where there is
    room for it."""
    short = [UUID(uuid) for uuid in uuids if len(uuid) == 4]
    long = [UUID(uuid) for uuid in uuids if len(uuid) != 4]
    fields = []
    if short:
        kind = AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS
        fields.append((kind, b"".join(uuid.to_bytes() for uuid in short)))
    if long:
        kind = AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS
        fields.append((kind, b"".join(uuid.to_bytes(force_128=True) for uuid in long)))
    if name:
        fields.append((AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()))
    # LE General Discoverable, BR/EDR not supported.
    parts = [[(AdvertisingData.FLAGS, bytes([0x06]))], []]
    for field in fields:
        for part in parts:
            if len(bytes(AdvertisingData([*part, field]))) <= ADVERTISING_ROOM:
                part.append(field)
                break
        else:
            raise MachineError("the name and the UUIDs don't fit into an advertisement")
    return tuple(bytes(AdvertisingData(part)) for part in parts)
