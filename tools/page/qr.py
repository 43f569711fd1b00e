"""Reads a QR code from a terminal's half blocks, as a camera would, but without its errors (ISO/IEC 18004)."""

import re

HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
MASKS = [lambda r, c: (r + c) % 2, lambda r, c: r % 2, lambda r, c: c % 3, lambda r, c: (r + c) % 3,
         lambda r, c: (r // 2 + c // 3) % 2, lambda r, c: r * c % 2 + r * c % 3,
         lambda r, c: (r * c % 2 + r * c % 3) % 2, lambda r, c: ((r + c) % 2 + r * c % 3) % 2]
# Data bytes and blocks of versions 1 to 6, by the two bits of the level.
SIZES = {1: [(19, 1), (34, 1), (55, 1), (80, 1), (108, 1), (136, 2)],  # L
         0: [(16, 1), (28, 1), (44, 1), (64, 2), (86, 2), (108, 4)]}  # M
ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"


def text(printed):
    """The text of the only code in what a program printed."""
    lines = re.sub(r"\x1b\[[\d;]*m", "", printed).splitlines()
    rows = [half for line in lines if len(line) > 20 and set(line) <= set(HALVES)
            for half in zip(*(HALVES[character] for character in line))]
    # The margin is light.
    dark = [[module != rows[0][0] for module in row] for row in rows]
    used = [row for row in dark if any(row)]
    left = min(row.index(True) for row in used)
    size = len(used)
    return decoded([row[left:left + size] for row in used], size)


def decoded(dark, size):
    version = (size - 17) // 4
    places = [(8, c) for c in (0, 1, 2, 3, 4, 5, 7, 8)] + [(r, 8) for r in (7, 5, 4, 3, 2, 1, 0)]
    form = number(dark[r][c] for r, c in places) ^ 0x5412
    mask = MASKS[form >> 10 & 7]
    data, blocks = SIZES[form >> 13][version - 1]
    stream = [dark[r][c] ^ (mask(r, c) == 0) for r, c in walk(size) if not is_fixed(r, c, size)]
    received = [number(stream[8 * k:8 * k + 8]) for k in range(data)]
    bits = [byte >> k & 1 for block in range(blocks) for byte in received[block::blocks] for k in range(7, -1, -1)]
    return "".join(segments(bits))


def number(bits):
    return int("".join(str(int(bit)) for bit in bits), 2)


def walk(size):
    """Upwards and downwards in columns of two, from the right."""
    for turn, right in enumerate([c for c in range(size - 1, 0, -2) if c > 6] + [5, 3, 1]):
        for row in range(size) if turn % 2 else range(size - 1, -1, -1):
            yield row, right
            yield row, right - 1


def is_fixed(r, c, size):
    far = size - 8
    corners = (r < 9 and (c < 9 or c >= far)) or (r >= far and c < 9)
    aligns = size > 21 and abs(r - (size - 7)) <= 2 and abs(c - (size - 7)) <= 2
    return corners or aligns or r == 6 or c == 6


def segments(bits):
    def take(count):
        value = number(bits[:count])
        del bits[:count]
        return value

    while len(bits) >= 4 and (mode := take(4)):
        if mode == 4:
            yield bytes(take(8) for _ in range(take(8))).decode()
        elif mode == 2:
            left = take(9)
            for _ in range(left // 2):
                yield "".join(ALPHANUMERIC[k] for k in divmod(take(11), 45))
            if left % 2:
                yield ALPHANUMERIC[take(6)]
        elif mode == 1:
            left = take(10)
            while left > 0:
                digits = min(3, left)
                yield f"{take(3 * digits + 1):0{digits}}"
                left -= digits
        else:
            raise ValueError(f"a segment of mode {mode}")
