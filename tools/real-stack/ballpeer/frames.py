"""The framed encoding: commands of 10 bytes, answers of 5."""

import functools
import operator

COMMAND = bytes([0x5A, 0xA5, 0x83])
ANSWER = bytes([0x5A, 0xA5, 0x82])
REFUSED, ACCEPTED, COMPLETED = range(3)
# Upper and lower wheel in percent, pitch and yaw in degrees, feed in percent, control.
LIMITS = (100, 100, 90, 90, 100, 1)


def _modbus(data):
    """The low byte of CRC-16/Modbus."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0xA001 if crc & 1 else crc >> 1
    return crc & 0xFF


CHECK_BYTES = {
    "modbus": _modbus,
    "xor": lambda data: functools.reduce(operator.xor, data),
}


def command(data, check_byte):
    """A good command's fields, and whether it is a start; None for what a machine ignores."""
    values = data[len(COMMAND) : -1]
    if (
        not data.startswith(COMMAND)
        or len(values) != len(LIMITS)
        or any(value > limit for value, limit in zip(values, LIMITS))
        or data[-1] != CHECK_BYTES[check_byte](data[:-1])
    ):
        return None
    return tuple(values[:-1]), values[-1] == 1


def text(fields, is_start):
    """A command as `ballmachine mock` prints it."""
    if not is_start:
        return ",".join("0" for _ in fields)
    written = ",".join(map(str, fields))
    return written if any(fields) else f"start {written}"


def answer(code, check_byte):
    data = ANSWER + bytes([code])
    return data + bytes([CHECK_BYTES[check_byte](data)])


def spoiled(code, check_byte, fault):
    """An answer's bytes as they are sent under a fault."""
    data = answer(code, check_byte)
    match fault:
        case "wrong-check":
            good = [check(data[:-1]) for check in CHECK_BYTES.values()]
            wrong = data[-1] ^ 0xFF
            return data[:-1] + bytes([data[-1] ^ 1 if wrong in good else wrong])
        case "other-check":
            return answer(code, "modbus" if check_byte == "xor" else "xor")
        case "cut":
            return data[:3]
        case _:
            return data


class Garbage:
    """Bytes that nothing asked for, the same as the mock's for the same seed."""

    def __init__(self, seed):
        self._state = seed

    def next(self):
        """1 to 20 bytes, a quarter of the time with an answer's header, length and code."""
        choice = self._random()
        if choice >> 8 & 3 == 0:
            return ANSWER + bytes([choice >> 16 & 3, choice >> 24 & 0xFF])
        return bytes(self._random() >> 56 for _ in range(1 + choice % 20))

    def _random(self):
        """SplitMix64."""
        mask = (1 << 64) - 1
        self._state = (self._state + 0x9E3779B97F4A7C15) & mask
        mixed = (self._state ^ self._state >> 30) * 0xBF58476D1CE4E5B9 & mask
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
        return mixed ^ mixed >> 31
