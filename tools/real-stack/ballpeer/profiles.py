"""The GATT tables that ball machines, and what may be taken for one, have.

Written from the design's list of profiles; the names are those of `ballmachine mock`.
"""

import dataclasses

from bumble.core import UUID
from bumble.gatt import Characteristic, CharacteristicValue, Service

UUID_SERVICE_CHANGED = UUID("2A05")
GATT_SERVICE = "1801"
SERVICE_CHANGED = "2A05"
DATABASE_HASH = "2B2A"

EITHER = ("write-without-response", "write")

BALL_MACHINE = "12345678-1234-1234-1234-123456789abc"
COMMAND = "abcd1234-1234-1234-1234-abcdef123456"
CONFIGURED = "b0a11ba1-0000-4000-8000-000000000001"
AI_THINKER = "5833ff01-9b8b-5191-6142-22a4536ef123"
TRANSPARENT_UART = "49535343-fe7d-4ae5-8fa9-9fafd205e455"
NORDIC_UART = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
UNKNOWN = "c0ffee00-0000-4000-8000-000000000001"


@dataclasses.dataclass(frozen=True)
class Profile:
    """A usual device: its name, its own service, and that service's characteristics with flags."""

    name: str
    service: str | None
    characteristics: tuple
    # Profiles that are known by their characteristics alone don't advertise their service.
    advertises: bool = True

    @property
    def advertised(self):
        return [self.service] if self.service and self.advertises else []


def _ball_machine(*flags):
    return Profile("BallMachine", BALL_MACHINE, ((COMMAND, flags),))


PROFILES = {
    "1": Profile("BallMachine", CONFIGURED, (("b0a11ba1-0000-4000-8000-000000000002", EITHER),)),
    "2": _ball_machine(*EITHER),
    "3": Profile(
        "ai-thinker",
        AI_THINKER,
        (
            ("5833ff02-9b8b-5191-6142-22a4536ef123", EITHER),
            ("5833ff03-9b8b-5191-6142-22a4536ef123", ("notify",)),
        ),
    ),
    "4": Profile(
        "RN4871",
        TRANSPARENT_UART,
        (
            ("49535343-1e4d-4bd9-ba61-23c647249616", ("notify",)),
            ("49535343-8841-43f4-a8d4-ecbe34729bb3", EITHER),
        ),
    ),
    "5": Profile(
        "Nordic_UART",
        NORDIC_UART,
        (
            ("6e400002-b5a3-f393-e0a9-e50e24dcca9e", EITHER),
            ("6e400003-b5a3-f393-e0a9-e50e24dcca9e", ("notify",)),
        ),
    ),
    "6": Profile("HMSoft", "ffe0", (("ffe1", ("read", "write-without-response", "notify")),)),
    "7": Profile(
        "BallMachine",
        UNKNOWN,
        (
            ("c0ffee00-0000-4000-8000-000000000002", ("write",)),
            ("c0ffee00-0000-4000-8000-000000000003", ("read", "notify")),
        ),
        advertises=False,
    ),
    "two-writable": Profile(
        "BallMachine",
        UNKNOWN,
        (
            ("c0ffee00-0000-4000-8000-000000000002", ("write",)),
            ("c0ffee00-0000-4000-8000-000000000004", ("write-without-response",)),
        ),
        advertises=False,
    ),
    "notify-only": _ball_machine("notify"),
    "wrong-flags": _ball_machine("read", "notify"),
    "command-only": _ball_machine("write-without-response"),
    "request-only": _ball_machine("write"),
    "empty": Profile("BallMachine", None, ()),
}

FLAGS = {
    "read": Characteristic.Properties.READ,
    "write": Characteristic.Properties.WRITE,
    "write-without-response": Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
    "notify": Characteristic.Properties.NOTIFY,
    "indicate": Characteristic.Properties.INDICATE,
}
WRITABLE = Characteristic.Properties.WRITE | Characteristic.Properties.WRITE_WITHOUT_RESPONSE


def services(profile, gap_name, flags=None, hash_reader=None, is_framed=False):
    """The services of a machine, in the order of their handles.

    GAP comes last, so that the handles before it are those of the mock, which has none.
    `flags` replaces those of what can be written in the profile's own service; with a
    `hash_reader` the table has a Database Hash. A framed machine can notify: where no characteristic
    of its own does, those do that can be written.
    """
    generic = [_characteristic(SERVICE_CHANGED, ["indicate"])]
    if hash_reader is not None:
        hashed = _characteristic(DATABASE_HASH, ["read"])
        hashed.value = CharacteristicValue(read=hash_reader)
        generic.append(hashed)
    table = [
        Service(GATT_SERVICE, generic),
        Service("180A", [_characteristic("2A29", ["read"], b"Ball machine peer")]),
        Service("1802", [_characteristic("2A06", ["write-without-response"])]),
    ]
    if profile.service is not None:
        own = []
        can_notify = any("notify" in usual for _, usual in profile.characteristics)
        for uuid, usual in profile.characteristics:
            if is_framed and not can_notify:
                usual = (*usual, "notify")
            is_writable = any(flag.startswith("write") for flag in usual)
            own.append(_characteristic(uuid, flags if flags and is_writable else usual))
        table.append(Service(profile.service, own))
    name = _characteristic("2A00", ["read"], gap_name.encode())
    table.append(Service("1800", [name, _characteristic("2A01", ["read"], bytes(2))]))
    return table


def _characteristic(uuid, flags, value=b""):
    properties = Characteristic.Properties(0)
    for flag in flags:
        properties |= FLAGS[flag]
    permissions = Characteristic.Permissions(0)
    if properties & Characteristic.Properties.READ:
        permissions |= Characteristic.READABLE
    if properties & WRITABLE:
        permissions |= Characteristic.WRITEABLE
    return Characteristic(uuid, properties, permissions, value)
