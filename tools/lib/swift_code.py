"""Swift source without its comments and the text of its strings."""

import re

_OPEN_STRING = re.compile(r'(#*)("""|")')


def code_of(text):
    """The text with blanks for comments and strings, line by line as long as before. What a string
    interpolates is code."""
    out = [c if c == "\n" else " " for c in text]
    _copy_code(text, 0, out, inside_interpolation=False)
    return "".join(out)


def _copy_code(text, at, out, inside_interpolation):
    depth = 0
    while at < len(text):
        two = text[at : at + 2]
        if two == "//":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            continue
        if two == "/*":
            at = _after_comment(text, at)
            continue
        string = _OPEN_STRING.match(text, at)
        if string:
            at = _after_string(text, string.end(), string[1], string[2], out)
            continue
        if inside_interpolation:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            if depth < 0:
                return at + 1
        out[at] = text[at]
        at += 1
    return at


def _after_comment(text, at):
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def _after_string(text, at, hashes, quotes, out):
    while at < len(text):
        if text.startswith(quotes + hashes, at):
            return at + len(quotes + hashes)
        if text.startswith("\\" + hashes, at):
            at += 1 + len(hashes)
            at = _copy_code(text, at + 1, out, True) if text.startswith("(", at) else at + 1
        elif text[at] == "\n" and quotes == '"':
            return at
        else:
            at += 1
    return len(text)
