"""What was measured as rows of a table, each with what we must reach."""

import statistics
import sys
from dataclasses import dataclass, field

from . import ratio
from .percentile import percentile
from .ratio import Ratio

OTHERS = ["floor", "bleak", "bleak-retry-connector", "simplepyble"]


@dataclass
class Row:
    measure: str
    # What the table shows of each program.
    cells: dict = field(default_factory=dict)
    ratio: Ratio | None = None
    # What ours is divided by.
    beside: str = "floor"
    must: str = ""
    # Nothing where it could not be measured, or where the ratio's interval has the bound in it.
    reached: bool | None = None


def rows(seen):
    """All rows for what was seen, in the order of the table."""
    return [
        *_writing(seen["writes"]),
        *_resting(seen["rest"], seen["service"]),
        *_serving(seen["service"], seen["drift"]),
        *_recovering(seen),
    ]


def microseconds(seconds):
    return f"{seconds * 1e6:.0f} µs"


def milliseconds(seconds):
    return f"{seconds * 1e3:.2f} ms" if seconds < 0.1 else f"{seconds * 1e3:.0f} ms"


def megabytes(size):
    return f"{size / 1e6:.1f} MB"


def percents(part):
    return f"{part * 100:.2f} %"


def _writing(rounds):
    measured = [
        ("write with response, p50", _percentile("50"), microseconds, "≤", 1.15, "floor"),
        ("the same, p99", _percentile("99"), microseconds, "≤", 1.25, "floor"),
        ("writes a second", lambda one: one["rate"], lambda rate: f"{rate:.0f}", "≥", 0.9, "floor"),
        ("connect and services, cold", lambda one: one["connect"], milliseconds, "≤", 0.45, "bleak"),
    ]
    for name, value, text, sign, bound, beside in measured:
        row = Row(name, must=f"{sign} {bound} × {beside}", beside=beside)
        for subject in {name for one in rounds for name in one}:
            row.cells[subject] = text(_median(rounds, subject, value))
        ratios = [
            value(one["ours"]) / value(one[beside])
            for one in rounds
            if {"ours", beside} <= one.keys()
        ]
        if ratios:
            row.ratio = ratio.of_medians(ratios)
            row.reached = row.ratio.reached(bound, at_least=sign == "≥")
        yield row


def _percentile(percent):
    return lambda one: one["percentiles"][percent]


def _median(rounds, subject, value):
    return statistics.median(value(one[subject]) for one in rounds if subject in one)


def _resting(rest, service):
    row = Row("private dirty memory, driving", must="≤ 2.5 MB")
    row.cells = {name: megabytes(one["memory"]["private"]) for name, one in rest.items()}
    row.cells["ours"] = megabytes(service["memory"]["private"])
    row.reached = service["memory"]["private"] <= 2.5e6
    yield row

    row = Row("connected, nothing to do: wake-ups a second", must="0")
    row.cells = {name: _wakeups(one["idle"]) for name, one in rest.items()}
    row.reached = rest["ours"]["idle"]["wakeups"] == 0
    yield row

    row = Row("the same: processor")
    row.cells = {name: percents(one["idle"]["processor"]) for name, one in rest.items()}
    yield row

    row = Row("1,000 foreign signals a second: processor", must="≤ 0.3 %")
    row.cells = {name: percents(one["flood"]["processor"]) for name, one in rest.items()}
    row.reached = rest["ours"]["flood"]["processor"] <= 0.003
    yield row


def _wakeups(usage):
    return f"{usage['wakeups'] / usage['seconds']:.1f}"


def _serving(service, drift):
    ours = [one["ours"] for one in service["latencies"]]
    floor = [one["floor"] for one in service["latencies"]]
    yield _compared("position on the socket to write at the machine, p50", ours, floor, 50)
    row = _compared("the same, p99", ours, floor, 99)
    row.must = "≤ 1 ms"
    row.reached = percentile([sample for group in ours for sample in group], 99) <= 1e-3
    yield row

    lateness = [[abs(error) for error in one] for one in service["lateness"]]
    row = _compared("cadence error, p99; floor: a bare timer's", lateness, service["timers"], 99)
    row.must = "≤ 2 × floor"
    row.reached = row.ratio.reached(2)
    yield row

    row = Row("drift over 1,200 balls", must="0")
    row.cells["ours"] = f"{drift:g} s"
    row.reached = drift == 0
    yield row


def _compared(name, ours, floor, percent):
    row = Row(name)
    for subject, groups in (("ours", ours), ("floor", floor)):
        samples = [sample for group in groups for sample in group]
        row.cells[subject] = milliseconds(percentile(samples, percent))
    row.ratio = ratio.of_percentiles(ours, floor, percent)
    return row


def _recovering(seen):
    row = Row("start to ready on a known machine", must="< 50 ms")
    start = statistics.median(seen["starts"])
    row.cells["ours"] = milliseconds(start)
    row.reached = start < 0.05
    yield row

    row = Row("bluetoothd's objects are back to ready, the worst", must="< 1 s")
    row.cells["ours"] = milliseconds(max(seen["restarts"]))
    row.reached = max(seen["restarts"]) < 1
    yield row

    row = Row("Connect calls in 30 s of endless refusal", must="≤ 6")
    row.cells = {name: str(count) for name, count in seen["refusals"].items()}
    row.reached = seen["refusals"]["ours"] <= 6
    yield row

    row = Row("the four programs' proportional memory", must="≤ 41 MB")
    row.cells["ours"] = megabytes(seen["together"])
    row.reached = seen["together"] <= 41e6
    yield row


def markdown(rows):
    """The table for the page, and for people."""
    heads = ["measure", *OTHERS, "ours", "ours / floor", "must reach", "reached"]
    lines = [
        heads,
        ["---"] + ["--:"] * (len(OTHERS) + 2) + ["---", "---"],
        *([*_texts(row)] for row in rows),
    ]
    return ["| " + " | ".join(line) + " |" for line in lines]


def plain(rows):
    """The same in columns, for a terminal."""
    heads = ["", *OTHERS, "ours", "ours/floor", "must reach", ""]
    lines = [heads, *(_texts(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        cells = (
            cell.ljust(width) if column in (0, len(heads) - 2) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        )
        yield "  ".join(cells).rstrip()


def _texts(row):
    unknown = ("undecided" if row.ratio else "–") if row.must else ""
    ratio_text = str(row.ratio) if row.ratio else "–"
    if row.beside != "floor":
        ratio_text += f" of {row.beside}'s"
    reached = {True: "yes", False: "NO", None: unknown}[row.reached]
    return [
        row.measure,
        *(row.cells.get(name, "–") for name in OTHERS),
        row.cells.get("ours", "–"),
        ratio_text,
        row.must,
        reached,
    ]


def said(reached):
    """Whether a required value is reached; None: the interval holds it."""
    return {True: "yes", False: "NO", None: "undecided"}[reached]


def say(text):
    print(text, file=sys.stderr, flush=True)
