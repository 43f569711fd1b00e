"""What the compiler knows of records: their members with types and comments, from its symbol graphs."""
import json
import re
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

# Of the options with which the build compiles a module, those that matter for its declarations.
OPTIONS = {"-D", "-I", "-Xcc", "-target", "-swift-version", "-enable-upcoming-feature", "-package-name",
           "-module-cache-path", "-module-name"}
SCALARS = {"String": "string", "Int": "integer", "Int16": "integer", "Int32": "integer", "Double": "number", "Bool": "boolean",
           "WallTime": "string"}

# The compiler's own names of RawRepresentable and of ExpressibleByStringLiteral.
RAW_VALUES = "s:SY"
LITERAL = "s:s26ExpressibleByStringLiteralP"


class Unreadable(Exception):
    """A declaration from which no record can be made."""


@dataclass(frozen=True)
class Type:
    """A type's `name`; `scalar` is what JSON calls it, and `alias` what stands for it in the declaration.
    Of an enum it has the `words`, of a list or a dictionary the type of its `items`."""
    name: str = ""
    scalar: str = ""
    alias: str = ""
    words: tuple = ()
    items: "Type" = None
    is_dictionary: bool = False

    @property
    def record(self):
        """The record that it is, or that its items are."""
        if self.items:
            return self.items.record
        return "" if self.scalar or self.words else self.name


@dataclass(frozen=True)
class Member:
    name: str
    type: Type
    comment: str
    is_optional: bool
    is_null: bool


class Declarations:
    """Declarations by their names, each behind its module's, such as ControlProtocol.LinkRecord."""

    def __init__(self, manifest):
        """`manifest` is the file in which the build has its commands."""
        if not manifest.exists():
            raise Unreadable(f"the build has left no {manifest}, from which the compiler's options are")
        self._commands = manifest.read_text().splitlines()
        self._names = {}  # by the compiler's own name of the symbol
        self._symbols = {}
        self._inner = {}
        self._renamed = set()  # enums with raw values
        self._texts = set()  # types that a text makes; they are encoded as one

    def comment(self, name):
        return comment(self._symbol(name))

    def cases(self, name):
        """Those of an enum: each with the record that it carries, if it does, and its comment."""
        cases = [symbol for symbol in self._members(name, "swift.enum.case")]
        return [(symbol["pathComponents"][-1].partition("(")[0],
                 self._record_in(symbol["declarationFragments"]), comment(symbol)) for symbol in cases]

    @cache
    def members(self, name):
        """A record's members as they are encoded: those of its parts stand beside its own.
        A case of an enum has its values, beside the members of the record that the enum is in; it may
        have one of the same name."""
        symbol = self._symbol(name)
        if symbol["kind"]["identifier"] == "swift.enum.case":
            members = self.members(name.rsplit(".", 2)[0]) + self._values(symbol)
            return list({member.name: member for member in members}.values())
        keys = next((name + key for key in (".Key", ".CodingKeys") if name + key in self._all(name)), None)
        if keys in self._renamed:
            raise Unreadable(f"{keys} may have other names, which the compiler doesn't tell")
        keys = keys and {word for word, _, _ in self.cases(keys)}
        members = []
        for symbol in self._members(name, "swift.property"):
            is_key = keys is not None and symbol["pathComponents"][-1] in keys
            if not is_key and is_computed(symbol):
                continue
            member = self._member(symbol)
            part = self.members(member.type.record) if keys and member.type.record and not member.type.items else []
            # A part may have a member of the part's own name, such as an outcome, which is then the key.
            if part and not (is_key and all(one.name != member.name for one in part)):
                members += [replace(one, is_optional=one.is_optional or member.is_optional) for one in part]
            elif is_key or not keys:
                members.append(member)
        return members

    def _values(self, symbol):
        """Those of an enum's case; one without a label is a record that is a part, or has the case's name."""
        case, _, values = spelled(symbol).removeprefix("case ").partition("(")
        members = []
        for value in values.removesuffix(")").split(", ") if values else []:
            label, _, text = value.rpartition(": ")
            type_ = self._type(text.removesuffix("?"), named(symbol))
            if type_.record and not label:
                members += self.members(type_.record)
            else:
                members.append(Member(label or case, type_, "", text.endswith("?"), False))
        return members

    def _member(self, symbol):
        head, _, text = spelled(symbol).partition(": ")
        text = text.partition(" {")[0]
        is_null = "@OrNull" in head
        return Member(symbol["pathComponents"][-1], self._type(text.removesuffix("?"), named(symbol)), comment(symbol),
                      text.endswith("?") and not is_null, is_null)

    def _type(self, text, named):
        """`named` has the compiler's name of each type in the text."""
        if text.startswith("["):
            key, _, value = text[1:-1].rpartition(" : ")
            return Type(items=self._type(value, named), is_dictionary=bool(key))
        if text in SCALARS:
            return Type(text, SCALARS[text])
        name = self._name(named[text.rpartition(".")[2]])
        symbol = self._symbol(name)
        kind = symbol["kind"]["identifier"]
        if kind == "swift.typealias":
            scalar = spelled(symbol).partition(" = ")[2]
            return Type(scalar, SCALARS[scalar], alias=name.rpartition(".")[2])
        if kind == "swift.enum":
            return Type(name, words=tuple(word for word, _, _ in self.cases(name)))
        return Type(name, "string" if name in self._texts else "")

    def _record_in(self, fragments):
        types = [fragment for fragment in fragments if fragment["kind"] == "typeIdentifier"]
        if not types or types[0]["spelling"] in SCALARS:
            return None
        return self._name(types[0]["preciseIdentifier"])

    def _members(self, name, kind):
        """In the order in which they are declared."""
        symbols = self._all(name)
        inner = [symbols[one] for one in self._inner.get(name, [])]
        return sorted((symbol for symbol in inner if symbol["kind"]["identifier"] == kind),
                      key=lambda symbol: symbol["location"]["position"]["line"])

    def _name(self, identifier):
        if identifier not in self._names:
            # A module's own symbols are mangled as its name's length and its name.
            length, rest = re.match(r"s:(\d+)(.*)", identifier).groups()
            module = rest[:int(length)]
            if module in self._symbols:
                raise Unreadable(f"{module} has no declaration {identifier}")
            self._load(module)
            return self._name(identifier)
        return self._names[identifier]

    def _symbol(self, name):
        if name not in self._all(name):
            raise Unreadable(f"there is no declaration {name}")
        return self._symbols[name]

    def _all(self, name):
        """All symbols, among them those of the module of `name`."""
        module = name.partition(".")[0]
        if module not in self._symbols:
            self._load(module)
        return self._symbols

    def _load(self, module):
        with TemporaryDirectory() as folder:
            read = subprocess.run([*self._command(module), "-emit-module", "-o", f"{folder}/{module}.swiftmodule",
                            "-emit-symbol-graph", "-emit-symbol-graph-dir", folder,
                            "-symbol-graph-minimum-access-level", "private",
                            "-Xfrontend", "-experimental-skip-all-function-bodies"],
                           capture_output=True, text=True, check=False)
            if read.returncode:
                raise Unreadable(f"the compiler can't read {module}:\n{read.stderr}")
            graph = json.loads(Path(folder, f"{module}.symbols.json").read_text())
        self._symbols[module] = None
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            if symbol["kind"]["identifier"] in ("swift.type.property", "swift.method") or "location" not in symbol:
                continue
            name = ".".join([module, *path])
            if symbol["kind"]["identifier"] == "swift.enum.case":
                name = name.partition("(")[0]
            self._names[symbol["identifier"]["precise"]] = name
            self._symbols[name] = symbol
            self._inner.setdefault(name.rpartition(".")[0], []).append(name)
        for found, protocol in (self._renamed, RAW_VALUES), (self._texts, LITERAL):
            found |= {self._names.get(relation["source"]) for relation in graph["relationships"]
                      if relation["kind"] == "conformsTo" and relation["target"] == protocol}

    def _command(self, module):
        """The compiler, with the sources and the options of the module."""
        named = f'"-module-name","{module}"'
        line = next((line for line in self._commands if named in line and '"-emit-module"' in line), None)
        if line is None:
            raise Unreadable(f"the build has no module {module}")
        compiler, *arguments = json.loads(line.partition("args: ")[2])
        kept = [compiler, "-parse-as-library"]
        for option, value in zip(arguments, [*arguments[1:], ""]):
            if option in OPTIONS:
                kept += [option, value]
            elif option[:2] in OPTIONS or option.startswith("@"):
                kept.append(option)
        return kept


def named(symbol):
    """The compiler's name of each type in the declaration."""
    return {fragment["spelling"]: fragment["preciseIdentifier"] for fragment in symbol["declarationFragments"]
            if fragment["kind"] == "typeIdentifier"}


def spelled(symbol):
    return "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])


def is_computed(symbol):
    """Or one that others may not set, which reads alike; coding keys tell those apart."""
    return spelled(symbol).endswith("{ get }")


def comment(symbol):
    """A paragraph, in the words of those who read what is encoded."""
    text = " ".join(line["text"].strip() for line in symbol.get("docComment", {}).get("lines", []))
    return re.sub(r"``(?:\w+/)*(\w+)``", r"`\1`", text)
