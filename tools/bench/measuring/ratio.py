"""Ratios of what was measured in rounds, with how far they can be trusted."""

import math
import random
import statistics
from dataclasses import dataclass

from .percentile import percentile

# How sure an interval is.
CONFIDENCE = 0.95
RESAMPLES = 2000


@dataclass
class Ratio:
    value: float
    # With the confidence above, the true value lies in here.
    low: float
    high: float

    def reached(self, bound, at_least=False):
        """Whether it keeps a bound; nothing if the bound lies in the interval."""
        low, high = (self.high, self.low) if at_least else (self.low, self.high)
        keeps = (lambda value: value >= bound) if at_least else (lambda value: value <= bound)
        return keeps(self.value) if keeps(low) == keeps(high) else None

    def __str__(self):
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


def of_medians(ratios):
    """The median of the rounds' ratios: whatever befalls a round befalls both sides of it.

    The interval is of the order statistics, which assumes nothing of how the ratios are spread.
    """
    ratios = sorted(ratios)
    count = len(ratios)
    outside = 0
    tail = 0.0
    # So many at each end lie outside.
    for number in range(count // 2):
        tail += math.comb(count, number) / 2**count
        if 2 * tail > 1 - CONFIDENCE:
            break
        outside = number
    return Ratio(statistics.median(ratios), ratios[outside], ratios[-1 - outside])


def of_percentiles(ours, floor, percent):
    """The ratio of a percentile over all groups of samples, such as rounds.

    The interval comes from drawing the groups again: a disturbance hits a whole group. What is drawn
    is the same each time. Groups of the same number on both sides are drawn together.
    """
    generator = random.Random(1)
    together = len(ours) == len(floor)

    def drawn(groups, numbers):
        return percentile([sample for number in numbers for sample in groups[number]], percent)

    def draw(groups):
        return generator.choices(range(len(groups)), k=len(groups))

    values = []
    for _ in range(RESAMPLES):
        numbers = draw(ours)
        values.append(
            drawn(ours, numbers) / drawn(floor, numbers if together else draw(floor))
        )
    cut = (1 - CONFIDENCE) / 2 * 100
    edges = statistics.quantiles(values, n=1000, method="inclusive")
    return Ratio(
        drawn(ours, range(len(ours))) / drawn(floor, range(len(floor))),
        edges[round(cut * 10) - 1],
        edges[-round(cut * 10)],
    )
