"""What many courts in play cost their broker, and the office's table beside it, as they send now and as they did."""

import contextlib
import functools

from . import ratio
from .courts import ACKNOWLEDGED, EARLIER, PRESENT
from .office import Office
from .processes import Usage
from .table import percents, said, say

# Of so many, one may be disturbed, and the interval stays.
ROUNDS = 9
SECONDS = 9
MANNERS = {"now": PRESENT, "acknowledged": ACKNOWLEDGED, "earlier": EARLIER}


def compared(load, programs):
    """The shares of a processor of broker and table in rounds, one manner after the other in each. Without programs
    there is no table."""
    rounds = []
    with Office(programs, load.broker.port) if programs else contextlib.nullcontext() as office:
        # The first one costs more: whatever it touches is new to the broker. It doesn't count.
        load.measure(load.play, SECONDS)
        for number in range(ROUNDS):
            rounds.append({})
            for name, manner in MANNERS.items():
                before = office and Usage(office.identifier)
                broker = load.measure(functools.partial(load.play, manner=manner), SECONDS)["processor"]
                table = office and Usage(office.identifier).since(before)["processor"]
                rounds[-1][name] = {"broker": broker, "table": table}
            say(f"{len(load.courts)} courts, round {number + 1} of {ROUNDS}: " + ", ".join(
                f"{name} {percents(one['broker'])}" for name, one in rounds[-1].items()))
    return rounds


def rows(rounds, courts):
    def of(value, text=str):
        found = ratio.of_medians([value(one) for one in rounds])
        return found if text is str else f"{text(found.value)} ({text(found.low)} to {text(found.high)})"

    def row(name, place, manner):
        return f"| {name} | {of(lambda one: one[manner][place], percents)} |  |  |"

    halved = of(lambda one: one["now"]["broker"] / one["earlier"]["broker"])
    against = of(lambda one: one["now"]["broker"] / one["acknowledged"]["broker"])
    lines = [
        f"| {courts:,} courts in play, and their office, in turn in each of {len(rounds)} rounds | value | must reach | reached |",
        "| --- | --: | --- | --- |",
        row("the broker's share of a processor", "broker", "now"),
        row("the same, if it acknowledges each message", "broker", "acknowledged"),
        row("the same, if a ball is told twice, and the link with each second ball, as this load did before", "broker", "earlier"),
        f"| now / each message acknowledged | {against} |  |  |",
        f"| now / as this load did before | {halved} | ≤ 0.5 | {said(halved.reached(0.5))} |",
    ]
    if rounds[0]["now"]["table"] is not None:
        lines += [
            row("the table's share of a processor (`ballmachine mqtt status`)", "table", "now"),
            row("the same, as this load did before", "table", "earlier"),
        ]
    return lines
