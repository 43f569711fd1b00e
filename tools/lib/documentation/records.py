"""The records: their JSON Schema, and their part of the manual, from their declarations.

In the schema, a definition whose `$comment' names a declaration is written from it, in what carries the
record if that is an answer, a notification or a topic; the others are by hand. A definition with a
member's name is what that name means in all records, or limits its values: a member refers to it. An
alias of a type, such as `Count', has the limits of the name `count'.
"""
import json
import re
from functools import cached_property

from .declarations import Unreadable
from .manual import prose

ORIGIN = "Generated from "
EVENTS = "ControlProtocol.EventRecord.Event"
# What is around a record: the members before it, and the name of its own.
ENVELOPES = {
    "message": lambda word: ({"jsonrpc": {"const": "2.0"}, "method": {"const": word}}, "params"),
    "message.answer": lambda word: (
        {"jsonrpc": {"const": "2.0"}, "id": {"type": ["string", "integer", "null"]}}, "result"),
    "topic": lambda word: ({"topic": {"const": word}}, "payload"),
}
# What each event has, said once for all.
COMMON = ("event", "t", "time")


class Records:
    def __init__(self, schema, declarations):
        self._schema = schema
        self._declarations = declarations
        self._defined = json.loads(schema)["$defs"]
        self._origins = {
            name: definition["$comment"].removeprefix(ORIGIN).removesuffix(".")
            for name, definition in self._defined.items() if "$comment" in definition
        }
        self._shown = {}  # where the manual has a record's members
        self._shapes = {origin: name for name, origin in self._origins.items() if name[0].isupper()}

    @cached_property
    def _events(self):
        return self._declarations.cases(EVENTS)

    # The schema

    def schema(self):
        text = self._schema
        for name, origin in self._origins.items():
            text = replaced(text, name, self._definition(name, origin))
        for event, _, comment in self._events:
            if comment and f"event.{event}" in self._defined.keys() - self._origins.keys():
                description = f'      "description": {quoted(comment)},'
                text = re.sub(rf'(?<="event.{event}": {{\n).*', lambda _: description, text)
        return text

    def _definition(self, name, origin):
        members = self._declarations.members(origin)
        properties = [(member.name, self._property(member)) for member in members]
        required = [member.name for member in members if not member.is_optional]
        kind, _, word = name.rpartition(".")
        if kind == "event":
            properties = [("event", {"$ref": "#/$defs/event", "const": word}),
                          *(one for one in properties if one[0] != "event")]
            required = ["event", *(one for one in required if one != "event")]
        schema = {"type": "object"} | ({"required": required} if required else {}) | {"properties": dict(properties)}
        if kind in ENVELOPES:
            head, last = ENVELOPES[kind](word)
            if origin in self._shapes:
                schema = {"$ref": f"#/$defs/{self._shapes[origin]}"}
            schema = {"type": "object", "required": [*head, last], "properties": head | {last: schema}}
        said = self._declarations.comment(origin)
        head = {"$comment": f"{ORIGIN}{origin}."} | ({"description": said} if said else {})
        return f'    "{name}": {written(head | schema, 4)}'

    def _property(self, member):
        common = self._defined.get(member.name)
        schema = {"$ref": f"#/$defs/{member.name}"} if common is not None else {}
        if member.comment:
            schema["description"] = told(member)
        elif "description" not in (common or {}):
            raise Unreadable(f"{member.name} has neither a comment nor a description in the schema")
        if words := words_in(member.comment):
            schema["enum"] = words + [None] * member.is_null
        if member.type.record and common is not None:
            self._must_refer(member)
            if member.type.items:
                schema["type"] = "object" if member.type.is_dictionary else "array"
        elif member.is_null and member.type.record:
            schema["anyOf"] = [self._type(member.type), {"type": "null"}]
        elif not (member.type.words and "enum" in (common or {})):
            schema |= self._type(member.type)
            if member.is_null and "type" in schema:
                schema["type"] = [schema["type"], "null"]
        return schema

    def _type(self, type_):
        if type_.is_dictionary:
            return {"type": "object", "additionalProperties": self._type(type_.items)}
        if type_.items:
            return {"type": "array", "items": self._type(type_.items)}
        if type_.alias:
            name = type_.alias[0].lower() + type_.alias[1:]
            return {key: value for key, value in self._defined[name].items() if key != "description"}
        if type_.words:
            return {"enum": list(type_.words)}
        return {"type": type_.scalar} if type_.scalar else {"$ref": f"#/$defs/{self._shape(type_.record)}"}

    def _shape(self, record):
        if record not in self._shapes:
            raise Unreadable(f"no definition of the schema is generated from {record}")
        return self._shapes[record]

    def _must_refer(self, member):
        if f'"#/$defs/{self._shape(member.type.record)}"' not in json.dumps(self._defined[member.name]):
            raise Unreadable(f"the schema's {member.name} is not a {member.type.record}")

    # The manual

    def part(self, name):
        """What the manual has of a definition: of an event an item of a list, otherwise the list of its
        members. Those that subscribers get are together `events'."""
        if name == "events":
            events = [(event, record, comment) for event, record, comment in self._events if event != "other"]
            return ".Bl -tag -width Ds\n" + "".join(self._item(*event) for event in events) + ".El\n"
        if event := self._origins.get(f"event.{name}"):
            return self._item(name, event, self._declarations.comment(event))
        return self._list(self._origins[name], name.rpartition(".")[2].lower())

    def _item(self, event, record, comment):
        return f".It Cm {event}\n" + prose(comment) + (self._list(record, event, COMMON) if record else "")

    def _list(self, record, place, left_out=(), width="14n"):
        parts = [f".Bl -tag -width {width} -compact\n"]
        for member in self._declarations.members(record):
            if member.name not in left_out:
                parts.append(f".It Cm {member.name}\n{self._meaning(member, place)}")
        return "".join(parts) + ".El\n"

    def _meaning(self, member, place):
        said = told(member) or self._defined[member.name]["description"]
        record = member.type.record
        if not record:
            return prose(said)
        shown = self._event_of(record) or self._shown.get(record)
        if shown:
            return prose(f"{said} The members are those of {shown}.")
        self._shown[record] = f"`{member.name}` in `{place}`"
        return prose(said) + self._list(record, place, width="Ds")

    def _event_of(self, record):
        """The event that has the same members."""
        def names(record):
            return {member.name for member in self._declarations.members(record)} - set(COMMON)
        return next((f"the record `{event}`" for event, one, _ in self._events if one and names(one) == names(record)),
                    None)


def told(member):
    """The comment in the words of JSON, which has no nil."""
    missing = "null" if member.is_null else "absent"
    text = re.sub(r"\bNil\b", missing.capitalize(), member.comment)
    return re.sub(r"\bnil\b", missing, text)


def words_in(comment):
    """All values of a member whose comment says `One of' and lists them; what is in brackets explains one."""
    listed = re.search(r"\b[Oo]ne of ((?:[^.;:(]|\([^)]*\))*)", comment)
    return re.findall(r"`([\w-]+)`", re.sub(r"\([^)]*\)", "", listed[1])) if listed else []


def replaced(schema, name, definition):
    pattern = rf'^    "{re.escape(name)}": (?:{{.*}}|{{(?:.*\n)*?    }})(?=,?$)'
    changed, count = re.subn(pattern, lambda _: definition, schema, count=1, flags=re.MULTILINE)
    if count != 1:
        raise Unreadable(f"the schema's {name} is not where one is expected")
    return changed


def written(schema, depth):
    """With each of its members on a line, and each of its properties."""
    if "properties" not in schema:
        return quoted(schema)
    space = " " * (depth + 2)
    properties = ",\n".join(f"{space}  {quoted(name)}: {written(one, depth + 4)}"
                            for name, one in schema["properties"].items())
    lines = [f"{space}{quoted(key)}: {quoted(value)}" for key, value in schema.items() if key != "properties"]
    lines.append(f'{space}"properties": {{\n{properties}\n{space}}}')
    return "{\n" + ",\n".join(lines) + f"\n{' ' * depth}}}"


def quoted(value):
    return json.dumps(value, ensure_ascii=False)
