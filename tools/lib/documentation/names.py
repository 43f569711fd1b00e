"""The names that a page takes from the project: files, types, options, keys and the like."""
import re

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
WORD = re.compile(r"\w+")
MODULES = re.compile(r"^<!-- modules -->\n(.*?)^<!-- /modules -->", re.MULTILINE | re.DOTALL)
PICTURE = "Sources/ballmachine/ballmachine.docc/Modules.md"

FILE = re.compile(r"(?<![\w/.])(?:Sources|Tests|tools|udev|\.ci)/[\w./-]*\w(?!…)")
VARIABLE = re.compile(r"\bBALLMACHINE_\w+")
OPTION = re.compile(r"(?<![\w-])--([a-z][\w-]*)")
SUBCOMMAND = re.compile(r"(?<![\w./-])ballmachine (?:camera |mqtt |web )?([a-z][\w-]*)")
# A type, a module or a case: `LinkStateMachine', `Safety', `notSent'.
IDENTIFIER = re.compile(r"\b(?:[A-Z][a-z]+\w*|[a-z]+[A-Z]\w*)\b")

MANIFEST = re.compile(r"// swift-tools-version: *([\d.]+)")
SWIFT = re.compile(r"\[Swift\]\([^)]*\)\s+([\d.]*\d) or newer")


def other_swifts(page, manifest):
    """The manifest alone says which Swift is needed; the page says the same."""
    needed = MANIFEST.match(manifest)[1]
    said = SWIFT.findall(page)
    return [] if said == [needed] else [f"README.md asks for Swift {' and '.join(said) or 'of no version'},"
                                        f" Package.swift for {needed}"]


def unknown(page, project):
    """The names on a page that the project doesn't have any more."""
    found = []
    for code, stands_alone in codes(page):
        found += [f"there is no {name}" for name in FILE.findall(code) if not project.has_file(name)]
        found += [f"{name} is not used" for name in VARIABLE.findall(code)
                  if name not in project.words]
        found += [f"there is no subcommand {name}" for name in SUBCOMMAND.findall(code)
                  if name not in project.subcommands]
        if "ballmachine " in code or stands_alone:
            found += [f"there is no option --{name}" for name in OPTION.findall(code)
                      if name not in project.options]
        if stands_alone and IDENTIFIER.fullmatch(code) and code not in project.words:
            found.append(f"there is no {code}")
    for language, drawing in FENCED.findall(page):
        if not language:
            found += [f"there is no {name}" for name in IDENTIFIER.findall(drawing)
                      if name not in project.words]
    return found


def codes(page):
    """What stands in a page as code, and whether it is a single word in the text."""
    for language, text in FENCED.findall(page):
        if language == "sh" or "$ ballmachine" in text:
            yield from ((line, False) for line in text.splitlines())
    for span in SPAN.findall(FENCED.sub("", page)):
        yield " ".join(span.split()), len(span.split()) == 1


class Project:
    """What there is, in the files below ROOT and by the program's own word."""

    def __init__(self, root, subcommands):
        self.root = root
        self.subcommands = {subcommand["name"] for subcommand in subcommands}
        self.options = {option["name"] for subcommand in subcommands
                        for option in subcommand["options"]} | {"help", "usage", "version"}
        self.words = set()
        for folder in ("Sources", "Tests", "tools", "udev"):
            for path in (root / folder).rglob("*"):
                if path.is_file() and path.suffix not in (".md", ".pyc"):
                    text = path.read_text(errors="ignore")
                    self.words.update(WORD.findall(text))
                    if folder == "tools":
                        self.options.update(OPTION.findall(text))
        # tools/lib/arrows holds these to the folders.
        for modules in MODULES.findall((root / PICTURE).read_text()):
            self.words.update(WORD.findall(modules))

    def has_file(self, name):
        return (self.root / name).exists()
