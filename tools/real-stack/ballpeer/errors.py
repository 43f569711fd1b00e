"""Why a line isn't done, in words for the one who wrote it."""


class LineError(Exception):
    """The line isn't understood."""


class MachineError(Exception):
    """What it asks for can't be done as things are."""
