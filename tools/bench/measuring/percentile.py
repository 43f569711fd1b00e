"""Percentiles, for those who measure and those who judge."""

import statistics


def percentile(samples, percent):
    if len(samples) < 2:
        return samples[0]
    return statistics.quantiles(samples, n=100, method="inclusive")[percent - 1]
