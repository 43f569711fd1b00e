"""The words of one line, taken from the front; the same grammar as `ballmachine mock`."""

import math
import re

from .errors import LineError
from .faults import ALWAYS


class Words:
    """Words are separated by blanks; one in double quotes may hold blanks, \\" and \\\\.

    A # outside of quotes starts a comment."""

    def __init__(self, text):
        self.rest = []
        word, is_quoted, is_escaped = None, False, False
        for character in text:
            if is_escaped:
                word, is_escaped = word + character, False
            elif character == "\\" and is_quoted:
                is_escaped = True
            elif character == '"':
                is_quoted, word = not is_quoted, word or ""
            elif is_quoted:
                word += character
            elif character == "#" and word is None:
                break
            elif character.isspace():
                if word is not None:
                    self.rest.append(word)
                word = None
            else:
                word = (word or "") + character
        if is_quoted:
            raise LineError("a quotation mark is not closed")
        if word is not None:
            self.rest.append(word)

    def next(self, what):
        if not self.rest:
            raise LineError(f"{what} is missing")
        return self.rest.pop(0)

    def take(self, word):
        """Takes the next word if it is this one."""
        if self.rest[:1] != [word]:
            return False
        self.rest.pop(0)
        return True

    def end(self):
        if self.rest:
            raise LineError(f'"{self.rest[0]}" is not expected here')

    def machine(self):
        return self.next("a machine's address or name")

    def address(self):
        word = self.next("an address")
        if not is_address(word):
            raise LineError(f'"{word}" is not an address such as F0:F1:F2:F3:F4:F5')
        return word.upper()

    def adapter(self):
        word = self.next("an adapter")
        if not re.fullmatch("hci(0|[1-9][0-9]{0,4})", word):
            raise LineError(f'"{word}" is not an adapter such as hci0')
        return word

    def choice(self, what, known):
        word = self.next(what)
        if word not in known:
            raise LineError(f'"{word}" is not {what}: one of {", ".join(known)}')
        return word

    def integer(self, what, low, high):
        word = self.next(what)
        try:
            number = int(word, 0)
        except ValueError:
            number = None
        if number is None or not low <= number <= high:
            raise LineError(f'"{word}" is not {what} from {low} to {high}')
        return number

    def list(self, what):
        return self.next(what).split(",")

    def bytes(self):
        word = self.next("the bytes")
        if not re.fullmatch("([0-9a-f]{2})*", word, re.IGNORECASE):
            raise LineError(f'"{word}" is not a row of bytes such as 5aa582013f')
        return bytes.fromhex(word)

    def uuids(self):
        words = self.list("a list of UUIDs")
        for word in words:
            long = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
            if not re.fullmatch(f"[0-9a-f]{{4}}|{long}", word, re.IGNORECASE):
                raise LineError(f'"{word}" is not a UUID of 4 or 32 hexadecimal digits')
        return words

    def seconds(self):
        word = self.next("a number of seconds")
        try:
            seconds = float(word)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= 86_400:
            raise LineError(f'"{word}" is not a number of seconds from 0 to 86400')
        return seconds

    def times(self):
        """`[[times] N | always]`, once when absent."""
        if self.take("always"):
            return ALWAYS
        if not self.take("times") and not self.rest[:1]:
            return 1
        return self.integer("a count", 1, 1_000_000)


def is_address(word):
    return re.fullmatch("[0-9a-f]{2}(:[0-9a-f]{2}){5}", word, re.IGNORECASE) is not None
