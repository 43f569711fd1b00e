"""Events for all listeners: one JSON object each."""

import logging
import sys
import time
import traceback


def now():
    """CLOCK_MONOTONIC in seconds, as the bridge and the mock print it; microseconds are enough."""
    return round(time.monotonic(), 6)


class Events:
    """The one stream of events."""

    def __init__(self):
        self._listeners = []

    def listen(self, listener):
        """`listener(event)` hears every event from now on; returns how to end that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event, **fields):
        """Fields that are None are left out."""
        told = {"event": event}
        told.update((key, value) for key, value in fields.items() if value is not None)
        told["t"] = now()
        for listener in list(self._listeners):
            listener(told)

    def tell_defect(self, message, exception=None):
        """Something is wrong with the peer itself: a traceback on stderr, and an event."""
        print(f"peer: {message}", file=sys.stderr)
        if exception is not None:
            traceback.print_exception(exception, file=sys.stderr)
            message = f"{message}: {exception!r}"
        sys.stderr.flush()
        self.tell("error", message=message)

    def watch(self, loop):
        """No exception in a callback, ours or Bumble's, goes unseen."""
        loop.set_exception_handler(
            lambda _, context: self.tell_defect(context["message"], context.get("exception"))
        )
        handler = _DefectHandler(self)
        logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


class _DefectHandler(logging.Handler):
    """Bumble logs the exceptions that it catches: those are events; its warnings are for stderr."""

    def __init__(self, events):
        super().__init__()
        self._events = events

    def emit(self, record):
        message = f"{record.name}: {record.getMessage()}"
        if record.levelno < logging.ERROR:
            print(f"peer: {message}", file=sys.stderr, flush=True)
        else:
            exception = record.exc_info[1] if record.exc_info else None
            self._events.tell_defect(message, exception)
