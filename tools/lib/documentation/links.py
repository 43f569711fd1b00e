"""The links from one page to another."""
import re

from .blocks import FENCED

HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|<(doc:[^>\s]+)>")


def broken(path, page):
    """The links of a page that lead nowhere."""
    return [link for link in found(page) if not leads(path, page, link)]


def found(page):
    return [first or second for first, second in LINK.findall(FENCED.sub("", page))]


def leads(path, page, link):
    if re.match(r"https?:", link):
        return True
    if link.startswith("doc:"):
        return (path.parent / f"{link[4:]}.md").exists()
    name, _, anchor = link.partition("#")
    target = path.parent / name if name else path
    if not target.exists():
        return False
    return not anchor or anchor in anchors(page if not name else target.read_text())


def anchors(page):
    """What the headings are called in links."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in HEADING.findall(FENCED.sub("", page))}
