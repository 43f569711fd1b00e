"""The faults that a machine has in store, and how often each strikes."""

import dataclasses
import math


@dataclasses.dataclass
class Fault:
    """Strikes `times` times (math.inf: always), then things are well again."""

    kind: str
    times: float = 1
    detail: object = None


class Faults:
    """The faults of one machine, oldest first."""

    def __init__(self):
        self._faults = []
        # Seconds from a write to its response.
        self.write_delay = 0.0

    def add(self, kind, times, detail=None):
        self._faults.append(Fault(kind, times, detail))

    def clear(self):
        self._faults.clear()
        self.write_delay = 0.0

    def strike(self, *kinds):
        """The oldest fault of one of these kinds, struck once; None when there is none."""
        for fault in self._faults:
            if fault.kind in kinds:
                fault.times -= 1
                if fault.times <= 0:
                    self._faults.remove(fault)
                return fault
        return None


ALWAYS = math.inf
