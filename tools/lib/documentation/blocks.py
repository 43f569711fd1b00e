"""The blocks of a Markdown page that the program fills, and the files that its commands read.

    <!-- output -->          the `$ ' lines of the next block are typed into a shell; the rest of the
                             block is what they print, word for word
    <!-- output varies -->   the same, but times and other numbers may differ
    <!-- service output varies -->
                             the same, beside a service that drives a mock machine
    <!-- picture -->         the block is what the block's command shows on a terminal
    <!-- file NAME -->       the next block is a file in the folder where the page's commands run

In a block, a line `…' stands for any number of lines.
"""
import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

MARKED = re.compile(
    r"^<!-- (?P<kind>output|service output|picture|file)(?P<varies> varies)?(?: (?P<name>\S+))? -->\n"
    r"```\w*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LIKE_A_MARK = re.compile(r"^<!-- (?:service )?(?:output|picture|file)\b.*", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ .*", re.MULTILINE)
ANY_LINES = "…"
# So much of a line is the same when only its wording has changed.
LIKE = 0.6


@dataclass
class Block:
    """A marked block of a page."""
    kind: str
    varies: bool
    name: str
    text: str
    # Where its text stands in the page.
    span: tuple

    @property
    def commands(self):
        return [line[2:] for line in self.text.splitlines() if line.startswith("$ ")]

    def says(self, text):
        """Whether the block is this text, as far as it has to be."""
        return matches(self.lines(self.text), self.lines(text))

    def shortened(self, text):
        """The new text with as much left out as the block leaves out, if its lines are found again."""
        if ANY_LINES not in self.text.splitlines():
            return text
        rest, kept = text.splitlines(), []
        for line in self.text.splitlines():
            if line == ANY_LINES:
                kept.append(line)
                continue
            likeness = [SequenceMatcher(None, line, other).ratio() for other in rest]
            if max(likeness, default=0) < LIKE:
                return text
            place = likeness.index(max(likeness))
            kept.append(rest[place])
            rest = rest[place + 1:]
        short = "".join(f"{line}\n" for line in kept)
        return short if replace(self, text=short).says(text) else text

    def lines(self, text):
        if self.kind == "picture":
            # The player moves, and with it the zone that is lit.
            text = re.sub("[░█●]", " ", text)
        if self.varies or self.kind == "picture":
            text = re.sub(r"\d+(\.\d+)*", "0", text)
            text = re.sub(" +", " ", text)
        return [line.rstrip() for line in text.rstrip("\n").split("\n")]


def blocks(page):
    """The marked blocks of a page's text."""
    return [Block(found["kind"], bool(found["varies"]), found["name"] or "", found["text"],
                  found.span("text"))
            for found in MARKED.finditer(page)]


def mistakes(page):
    """What looks like a marked block, or like a program's output, and isn't filled by anything."""
    rest = MARKED.sub("", page)
    found = [f"`{line}' has no block below it" for line in LIKE_A_MARK.findall(rest)]
    for fenced in FENCED.findall(rest):
        found += [f"nothing checks what `{command}' prints" for command in COMMAND.findall(fenced)]
    return found


def filled(page, replacements):
    """The page with other text in some blocks: pairs of a block and its text."""
    for block, text in sorted(replacements, key=lambda pair: pair[0].span, reverse=True):
        page = page[:block.span[0]] + text + page[block.span[1]:]
    return page


def matches(expected, seen):
    """Whether these lines are those, where `…' may be any."""
    if not expected:
        return not seen
    if expected[0] == ANY_LINES:
        return any(matches(expected[1:], seen[skipped:]) for skipped in range(len(seen) + 1))
    return bool(seen) and expected[0] == seen[0] and matches(expected[1:], seen[1:])
