"""Swift source without its comments and the text of its strings, and the types that it declares and names."""

import re

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TOKEN = re.compile(_WORD.pattern + r"|[^\sA-Za-z_]")
_KINDS = {"struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype", "extension"}
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


class Types:
    """The types that one file declares, and the names in it that may be types.

    `declared` has the path of each, ("Outer", "Inner"), and whether only this file sees it.
    `named` has each chain of names, ("Outer", "Inner", "member"), and the path of the type around it.
    """

    def __init__(self, code):
        self.declared = []
        self.named = []
        self._read(_TOKEN.findall(code))

    def _read(self, tokens):
        around = []  # for each open brace: the path of the type that it opens, or None
        pending = None  # the path of a type whose brace comes next
        at = 0
        while at < len(tokens):
            token = tokens[at]
            before = tokens[at - 1] if at else ""
            if token == "{":
                around.append(pending)
                pending = None
            elif token == "}":
                if around:
                    around.pop()
            elif token in _KINDS and before != "." and at + 1 < len(tokens) and _is_name(tokens[at + 1]):
                inside = _inner(around)
                if token == "extension":
                    path, end = _chain(tokens, at + 1)
                    self.named.append((path, inside))
                    pending, at = path, end
                    continue
                name = tokens[at + 1]
                if name not in ("func", "var", "let", "subscript", "init"):
                    own = {tokens[i] for i in range(max(0, at - 4), at)} & {"private", "fileprivate"}
                    self.declared.append((inside + (name,), bool(own)))
                    if token not in ("typealias", "associatedtype"):
                        pending = inside + (name,)
                    at += 2
                    continue
            elif token[0].isupper() and before not in (".", "import"):
                path, end = _chain(tokens, at)
                self.named.append((path, _inner(around)))
                at = end
                continue
            at += 1


def _is_name(token):
    return _WORD.fullmatch(token) is not None


def _chain(tokens, at):
    """The names joined by dots from here on, and where they end."""
    path = [tokens[at]]
    at += 1
    while at + 1 < len(tokens) and tokens[at] == "." and _is_name(tokens[at + 1]):
        path.append(tokens[at + 1])
        at += 2
    return tuple(path), at


def _inner(around):
    """The type that a place is in: the innermost one that an open brace belongs to."""
    return next((path for path in reversed(around) if path), ())
