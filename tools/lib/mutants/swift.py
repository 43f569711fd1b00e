"""Finds places in Swift sources by declaration and tokens.

A place is a type with all its extensions (`CommandLanes`) or all members of one name in them
(`CommandLanes.pump`), in any file. A pattern is Swift source. It is compared token by token: line
breaks, spaces and comments don't matter. `…` stands for any tokens, as few as possible.
"""
import re
from collections import namedtuple

TOKEN = re.compile(r"""
    (?P<skipped>\s+ | //[^\n]* | /\*.*?\*/)
  | "{3}.*?"{3} | "(?:[^"\\]|\\.)*"
  | [A-Za-z_$][\w$]* | \d[\w.]*
  | .
""", re.VERBOSE | re.DOTALL)
TYPES = {"actor", "class", "enum", "extension", "protocol", "struct"}
MEMBERS = {"func", "init", "let", "var"}
PAIRS = {"(": ")", "[": "]", "{": "}"}

Token = namedtuple("Token", "text start end")


class Missing(Exception):
    """A place or a pattern that isn't there exactly once."""


def tokens_of(text):
    return [Token(match.group(), match.start(), match.end())
            for match in TOKEN.finditer(text) if not match.group("skipped")]


def closing(tokens, index):
    """The index of the bracket that closes the one at `index`."""
    depth = 0
    for position in range(index, len(tokens)):
        if tokens[position].text in PAIRS:
            depth += 1
        elif tokens[position].text in PAIRS.values():
            depth -= 1
            if depth == 0:
                return position
    raise Missing(f"'{tokens[index].text}' is never closed")


def body(tokens, index):
    """The range of tokens from a declaration's keyword at `index` to the end of its braces; None if
    it has none."""
    position = index
    while position < len(tokens) and tokens[position].text not in ("{", "}", "="):
        is_bracket = tokens[position].text in PAIRS
        position = closing(tokens, position) + 1 if is_bracket else position + 1
    if position == len(tokens) or tokens[position].text != "{":
        return None
    return range(index, closing(tokens, position) + 1)


def declarations(tokens, keywords, name, within):
    """The ranges of the declarations of this name. The outermost contain the others."""
    found = []
    for index in within:
        # `extension A.B` declares members of B.
        declared = index + 1
        while tokens[index].text == "extension" and tokens[declared + 1].text == ".":
            declared += 2
        is_named = tokens[index].text == name == "init" or (
            tokens[index].text in keywords and tokens[declared].text == name)
        if is_named and (not found or index not in found[-1]):
            found.append(body(tokens, index))
            if found[-1] is None:
                found.pop()
    return found


def matches(tokens, within, pattern):
    """The ranges of tokens in `within` that are like the pattern."""
    return [range(start, end) for start in within
            if (end := match_end(tokens, start, within.stop, pattern)) is not None]


def match_end(tokens, index, stop, pattern):
    for number, wanted in enumerate(pattern):
        if wanted == "…":
            rest = pattern[number + 1:]
            ends = (match_end(tokens, later, stop, rest) for later in range(index, stop + 1))
            return next((end for end in ends if end is not None), None)
        if index == stop or tokens[index].text != wanted:
            return None
        index += 1
    return index


def replaced(sources, place, old, new):
    '''The sources, a dictionary from file to text, with `new` instead of `old` at the place. `$0` in
    `new` stands for what was there.

    >>> sources = {"Moved.swift": """extension Core.Lane {
    ...   func send() { write( /* why */ 1, to: "}") }  // write(1)
    ...   var isIdle: Bool { true }
    ... }"""}
    >>> print(replaced(sources, "Lane.send", "write(1, …)", "twice($0)")["Moved.swift"])
    extension Core.Lane {
      func send() { twice(write( /* why */ 1, to: "}")) }  // write(1)
      var isIdle: Bool { true }
    }
    >>> replaced(sources, "Lane.isIdle", "write(1", "")
    Traceback (most recent call last):
    mutants.swift.Missing: Lane.isIdle has 0 places like `write(1', not one
    >>> replaced(sources, "Lane.stop", "write(1", "")
    Traceback (most recent call last):
    mutants.swift.Missing: there is no Lane.stop
    >>> replaced({**sources, "Copy.swift": "struct Lane { let x = write(1) }"}, "Lane", "write(1", "")
    Traceback (most recent call last):
    mutants.swift.Missing: Lane has 2 places like `write(1', not one
    '''
    type_name, _, member = place.partition(".")
    pattern = [token.text for token in tokens_of(old)]
    found, places = [], 0
    for path, text in sources.items():
        if type_name not in text:
            continue
        tokens = tokens_of(text)
        within = declarations(tokens, TYPES, type_name, range(len(tokens)))
        if member:
            within = [inner for outer in within
                      for inner in declarations(tokens, MEMBERS, member, outer)]
        places += len(within)
        for region in within:
            found += [(path, tokens[match.start].start, tokens[match.stop - 1].end)
                      for match in matches(tokens, region, pattern)]
    if not places:
        raise Missing(f"there is no {place}")
    if len(found) != 1:
        raise Missing(f"{place} has {len(found)} places like `{old}', not one")
    path, start, end = found[0]
    text = sources[path]
    return {**sources, path: text[:start] + new.replace("$0", text[start:end]) + text[end:]}
