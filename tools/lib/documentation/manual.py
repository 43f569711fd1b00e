"""The generated parts of the manual pages, in mdoc."""
import re
from collections import Counter
from itertools import groupby
from textwrap import dedent

from . import ANSWERS

# An option or a paragraph of so many subcommands stands in the page once.
COMMON = 3
# When a new value of a key is in force.
EFFECTS = {
    "atOnce": "a change is in force after a reload",
    "afterRestart": "a change needs a restart",
}


def program_page(subcommands, program=""):
    """The subcommands, and below them the options that several of them have.

    `program` is the word before a subcommand of another program.
    """
    common = common_options(subcommands)
    repeated = repeated_paragraphs(subcommands)
    parts = [".Sh SUBCOMMANDS\n"]
    for subcommand in subcommands:
        parts.append(f".Ss {subcommand['name']}\n")
        for synopsis in subcommand["synopsis"] or [""]:
            parts.append(f".D1 Nm ballmachine Cm {program}{subcommand['name']} {synopsis_words(synopsis)}\n")
        parts.append(".Pp\n" + prose(subcommand["summary"] + "."))
        own = [option for option in subcommand["options"] if option not in common]
        if own:
            parts.append(option_list(own))
        shared = [option for option in subcommand["options"] if option in common]
        if shared:
            names = " ,\n".join(f".Fl \\-{escaped(option['name'])}" for option in shared)
            parts.append(f".Pp\nCommon options:\n{names} .\n")
        parts.append(details(paragraph for paragraph in paragraphs(subcommand)
                             if paragraph not in repeated))
    parts.append(".Sh COMMON OPTIONS\nThese mean the same for every subcommand that has them.\n")
    parts.append(option_list(common))
    parts.append(details(repeated))
    parts.append(".Pp\nAll subcommands, and the program without one, have these:\n")
    parts.append(option_list(ANSWERS))
    return "".join(parts)


def common_options(subcommands):
    """Those that many subcommands have and that mean the same in all of them."""
    options = [option for subcommand in subcommands for option in subcommand["options"]]
    same = [options.index(option) for option in options]
    return [
        option for place, option in enumerate(options)
        if same[place] == place and same.count(place) >= COMMON
        and all(other == option for other in options if other["name"] == option["name"])
    ]


def repeated_paragraphs(subcommands):
    """Those that can stand alone: “It” would be no subcommand in particular."""
    counts = Counter(text for subcommand in subcommands for text in paragraphs(subcommand)
                     if not text.startswith("It "))
    return [text for text, count in counts.items() if count >= COMMON]


def paragraphs(subcommand):
    return [text for text in subcommand["details"].split("\n\n") if text]


def synopsis_words(synopsis):
    """`--upper N [FILE]` with mdoc's macros."""
    words = ["Oo Ar option ... Oc"]
    for word in synopsis.split():
        if word.startswith("--"):
            words.append(f"Fl \\-{escaped(word[2:])}")
        elif word.startswith("["):
            words.append(f"Oo Ar {word[1:-1]} Oc")
        else:
            words.append(f"Ar {word}")
    return " ".join(words)


def option_list(options):
    lines = [".Bl -tag -width Ds\n"]
    for option in options:
        item = f"Fl \\-{escaped(option['name'])}"
        if option.get("value"):
            item += f" Ns = Ns Ar {option['value']}"
        if option.get("short"):
            item = f"Fl {option['short']} , {item}"
        lines.append(f".It {item}\n" + prose(option["help"] + "."))
    return "".join(lines) + ".El\n"


def configuration_page(keys, example):
    """Every key, by section; what the sections are for stands in the example file."""
    summaries = {
        name: comment.replace("\n# ", " ")
        for comment, name in re.findall(r"\n\n# (.*(?:\n# .*)*)\n(\w+):\n", example)
    }
    parts = [".Sh KEYS\n"]
    for section, members in groupby(keys, lambda key: key["key"].split(".")[0]):
        parts.append(f".Ss {section}\n{prose(summaries[section])}.Bl -tag -width Ds\n")
        for key in members:
            name = key["key"].removeprefix(f"{section}.")
            parts.append(f".It Cm {escaped(name)}\n" + prose(key["documentation"]))
            parts.append(".br\n" + prose(f"Allowed: {key['allowed']}."))
            parts.append(f".br\nDefault: {literal(key['default'])}, {EFFECTS[key['effect']]}.\n")
            if key["example"] != key["default"]:
                parts.append(f".br\nExample: {literal(name + ': ' + key['example'])}\n")
        parts.append(".El\n")
    return "".join(parts)


def drill_page(keys):
    """Every key of a drill; those of a level are the same again."""
    parts = [".Sh KEYS\n.Bl -tag -width Ds\n"]
    for key in keys:
        name = key["key"]
        if name.startswith("levels."):
            continue
        parts.append(f".It Cm {escaped(name)}\n" + prose(key["documentation"]))
        parts.append(".br\n" + prose(f"Allowed: {key['allowed']}."))
        parts.append(f".br\nExample: {literal(name + ': ' + key['example'])}\n")
    levels = [key["key"].split(".") for key in keys if key["key"].startswith("levels.")]
    names = list(dict.fromkeys(level for _, level, _ in levels))
    members = list(dict.fromkeys(name for _, _, name in levels))
    parts.append(
        ".It Cm levels\n" + prose(
            f"What is different at a level: {', '.join(names)}, each with any of the keys"
            f" {', '.join(members)}."
        ) + f".br\nExample: {literal('levels: {beginner: {interval: 7, balls: 8}}')}\n"
    )
    parts.append(".El\n")
    return "".join(parts)


def details(texts):
    """Prose, which has one line, a block of lines, or an example each."""
    parts = []
    for paragraph in texts:
        if paragraph.startswith("Example: "):
            parts.append(f".Pp\nExample:\n.Dl {escaped(paragraph.removeprefix('Example: '))}\n")
        elif "\n" in paragraph or paragraph.startswith(" "):
            block = "".join(f"{escaped(line)}\n" for line in dedent(paragraph).split("\n"))
            parts.append(f".Bd -literal -offset indent\n{block}.Ed\n")
        else:
            parts.append(".Pp\n" + prose(paragraph))
    return "".join(parts)


def prose(text):
    """A paragraph, a sentence a line."""
    text = re.sub(r"`([^`']+)[`']", "\0\\1\1", text)
    text = " ".join(word(part) for part in text.split(" "))
    text = text.replace("\0", "\\fB").replace("\1", "\\fP")
    return re.sub(r"(?<=[.:?!]) (?=[A-Z0-9\\])", "\n", text) + "\n"


def word(text):
    """One that is typed, such as an option or a path, is neither hyphenated nor has it hyphens."""
    is_typed = re.match(r"\W*--?\w", text) or re.search(r"[/$_=]|\w\.\w", text)
    return "\\%" + escaped(text) if is_typed else escaped(text, dashes=False)


def literal(text):
    return " ".join(f"\\%\\fB{escaped(part)}\\fP" for part in text.split(" "))


def escaped(text, dashes=True):
    """Text that roff prints as it is, its dashes not as hyphens but as they are typed."""
    text = text.replace("\\", "\\e")
    if dashes:
        text = text.replace("-", "\\-")
    return re.sub(r"^([.'])", r"\&\1", text)
