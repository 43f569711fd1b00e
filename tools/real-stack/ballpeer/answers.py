"""What a framed machine says by notifications, and what befalls that."""

import asyncio

from . import frames

# As the mock's timings `answer` and `completion`, in seconds.
ANSWER = 0.03
COMPLETION = 0.3
KINDS = ("none", "refused", "incomplete", "wrong-check", "other-check", "doubled", "cut")


class Answers:
    """The answers and the garbage of one machine."""

    def __init__(self, machine):
        self._machine = machine
        self._garbage_timer = None

    def answer(self, bearer, is_start):
        """Accepts a good command and later completes it, unless a fault says otherwise."""
        machine = self._machine
        fault = machine.faults.strike("answers")
        late = machine.faults.strike("late-answers")
        kind = fault.detail if fault else None
        codes = {
            "none": (),
            "refused": (frames.REFUSED,),
            "incomplete": (frames.ACCEPTED,),
        }.get(kind, (frames.ACCEPTED, frames.COMPLETED))
        delay = machine.faults.write_delay + ANSWER + (late.detail if late else 0)
        for code in codes:
            value = frames.spoiled(code, machine.description.check_byte, kind)
            for _ in range(2 if kind == "doubled" else 1):
                asyncio.get_running_loop().call_later(delay, self._send, bearer, value)
            delay += COMPLETION if is_start else ANSWER

    def _send(self, bearer, value):
        """What meets no link, or another one, or no subscription, is lost."""
        if bearer is not None and bearer is self._machine.connection:
            self._machine.server.send_notification(bearer, value)

    def begin_garbage(self, seed, interval, times):
        self.end_garbage()
        self._plan_garbage(frames.Garbage(seed), interval, times)

    def end_garbage(self):
        if self._garbage_timer:
            self._garbage_timer.cancel()
            self._garbage_timer = None

    def _plan_garbage(self, garbage, interval, times):
        if times > 0:
            self._garbage_timer = asyncio.get_running_loop().call_later(
                interval, self._send_garbage, garbage, interval, times
            )

    def _send_garbage(self, garbage, interval, times):
        """Garbage that nothing hears counts too."""
        self._plan_garbage(garbage, interval, times - 1)
        self._send(self._machine.connection, garbage.next())
