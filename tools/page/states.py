"""What a person can meet on the page: each state is reached through the box, and left again."""

import contextlib
import json
import time

import wire
from box import MACHINE, walk
from court import wait
from parts import BY_HAND, CALIBRATION, PAGE, SESSION, SHEETS

STATES = {}


class State:
    """`way(court)` leads to it, gives the phone that shows it, and leads back."""

    def __init__(self, name, way, brief):
        self.name = name
        self.way = contextlib.contextmanager(way)
        # It ends by itself before all looks are taken.
        self.is_brief = brief
        self.is_sheet = name.startswith("sheet-")

    def show(self, court, looks):
        """Takes each look, with the phone as its argument."""
        for group in [[each] for each in looks] if self.is_brief else [looks]:
            court.settle()
            with self.way(court) as phone:
                for each in group:
                    each(phone)


def state(name, brief=False):
    def keep(way):
        STATES[name] = State(name, way, brief)
        return way
    return keep


# Before anything is begun

@state("first-visit")
def _(court):
    yield court.visit()


@state("too-many-watch")
def _(court):
    phone = court.guest
    phone.open("about:blank")
    with contextlib.ExitStack() as stack:
        wire.crowd(stack, 8)
        phone.open(PAGE)
        wait(phone, safety="full")
        yield phone
        phone.open("about:blank")


@state("machine-never-seen")
def _(court):
    with court.morning(known=False):
        yield court.anna


@state("machine-off")
def _(court):
    with court.morning(known=True):
        yield court.anna


@state("bluetooth-off")
def _(court):
    with court.no_link([("power", "hci0", "off")], [("power", "hci0", "on")]):
        yield court.anna


@state("connecting")
def _(court):
    slow, usual = (("timing", "resolve", seconds) for seconds in ("60", "0.25"))
    again = ("drop", MACHINE)
    with court.no_link([slow, again], [usual, again]):
        yield court.anna


@state("ready")
def _(court):
    yield court.anna


@state("ready-drill")
def _(court):
    court.box.ballmachine("drill", "two-corners", "--level", "beginner")
    court.anna.wait("document.body.textContent.includes('Two corners')")
    yield court.anna


@state("drill-lost")
def _(court):
    box = court.box
    kept = {"version": 1, "level": "beginner", "levelHasCommands": True}
    with court.service_off():
        (box.folder / "state/training.json").write_text(json.dumps(kept))
        with court.other_words(court.anna):
            box.serve()
        wait(court.anna, safety="disarmed")
        court.until(lambda safety: safety["holds"])
        yield court.anna
        box.ballmachine("level", "--none")


# While balls fly

@state("countdown")
def _(court):
    court.box.ballmachine("arm", "--countdown", "60")
    wait(court.anna, safety="countdown")
    yield court.anna


@state("live")
def _(court):
    court.live()
    yield court.anna


@state("live-drill")
def _(court):
    court.live("two-corners", "--level", "advanced")
    yield court.anna


@state("held-not-seen")
def _(court):
    with court.settings("silence-before-countdown: 600"):
        court.held(lambda now: None, "notSeen")
        yield court.anna


@state("held-near-the-net")
def _(court):
    court.held(lambda now: walk(now, 0.3), "nearNet")
    yield court.anna


@state("held-behind-the-net")
def _(court):
    court.held(lambda now: walk(now, -1), "behindNet")
    yield court.anna


@state("held-detector-repeats")
def _(court):
    begin = time.monotonic()
    # A detector with so small a step is fine enough to move always.
    court.held(lambda now: (5 if now < begin + 1 else 5.0004, 9.8), "detectorRepeats")
    yield court.anna


@state("last-ball")
def _(court):
    with court.other_words(court.anna):
        court.box.ballmachine("drill", "last-ball")
        court.box.reach("live")
        wait(court.anna, safety="disarmed", seconds=10)
    yield court.anna


@state("resting")
def _(court):
    court.box.ballmachine("drill", "long-rest")
    court.box.reach("live")
    wait(court.anna, safety="resting", seconds=10)
    # The last ball of the set has come.
    court.until(lambda safety: not safety["holds"])
    yield court.anna


# While they don't

@state("paused")
def _(court):
    court.live()
    court.box.ballmachine("pause")
    wait(court.anna, safety="paused")
    yield court.anna


@state("paused-by-silence")
def _(court):
    court.live()
    court.box.player.place = lambda now: None
    wait(court.anna, safety="paused", seconds=10)
    yield court.anna


@state("paused-by-link-loss")
def _(court):
    court.live()
    with court.machine_off():
        wait(court.anna, safety="paused", seconds=10)
        yield court.anna
        court.box.ballmachine("disarm")


@state("paused-by-refusals")
def _(court):
    court.box.machine("fail-writes", MACHINE, "org.bluez.Error.Failed", "Failed", "times", "3")
    court.live()
    court.until_code("refused")
    wait(court.anna, safety="paused")
    yield court.anna


@state("machine-refuses")
def _(court):
    box = court.box
    box.machine("fail-writes", MACHINE, "org.bluez.Error.Failed", "Failed", "always")
    court.live()
    court.until_code("refused")
    box.ballmachine("disarm")
    court.anna.wait("document.querySelector('#safety').textContent === 'The machine refuses'"
                    " && document.body.dataset.safety === 'disarmed'", seconds=20)
    yield court.anna
    box.machine("clear-faults", MACHINE)
    # It tells the machine at last to stop.
    court.until(lambda safety: not safety["holds"])


@state("ended-by-ball-limit")
def _(court):
    with court.settings("ball-limit: 1"):
        court.box.reach("live")
        court.ended("ballLimit")
        yield court.anna


@state("ended-by-drill")
def _(court):
    court.box.ballmachine("drill", "one-ball")
    court.box.reach("live")
    court.ended("drillOver")
    yield court.anna


@state("ended-by-a-person")
def _(court):
    court.live()
    with court.other_words(court.anna):
        court.box.ballmachine("disarm")
        wait(court.anna, safety="disarmed")
    yield court.anna


# STOP

@state("stopping", brief=True)
def _(court):
    with court.machine_off():
        court.anna.touch("#stop")
        wait(court.anna, stopped="pending", safety="stopped")
        yield court.anna


@state("stopped")
def _(court):
    court.live()
    court.anna.touch("#stop")
    wait(court.anna, stopped="confirmed", safety="stopped")
    yield court.anna


@state("stop-not-confirmed")
def _(court):
    court.live()
    court.box.machine("hang-writes", MACHINE, "always")
    court.anna.touch("#stop")
    wait(court.anna, stopped="unconfirmed", safety="stopped", seconds=15)
    yield court.anna
    court.box.machine("clear-faults")
    with court.machine_off():
        pass
    court.until(lambda safety: safety["stop"]["outcome"] == "confirmed")


@state("stop-not-delivered")
def _(court):
    with court.machine_off():
        court.anna.touch("#stop")
        wait(court.anna, stopped="notDelivered", safety="stopped", seconds=15)
        yield court.anna
    court.until(lambda safety: safety["stop"]["outcome"] == "confirmed")


@state("stop-without-answer")
def _(court):
    court.live()
    with court.no_stop_arrives(court.anna):
        court.anna.touch("#stop")
        wait(court.anna, stopped="noAnswer")
        yield court.anna
    wait(court.anna, stopped="confirmed")


# What the phone doesn't hear

@state("not-connected")
def _(court):
    with court.page_stands_still():
        yield court.anna


@state("not-connected-stop-without-answer")
def _(court):
    with court.page_stands_still():
        court.anna.touch("#stop")
        wait(court.anna, stopped="noAnswer")
        yield court.anna
    wait(court.anna, stopped="confirmed", seconds=10)


@state("out-of-service")
def _(court):
    with court.service_off():
        yield court.anna


# Sheets

@state("sheet-start")
def _(court):
    yield court.open_sheet("start")


@state("sheet-drills")
def _(court):
    yield court.open_sheet("drills")


@state("sheet-sessions")
def _(court):
    yield court.open_sheet("sessions")


@state("sheet-sessions-empty")
def _(court):
    logs = court.box.folder / "state/sessions"
    kept = logs.rename(logs.with_name("kept"))
    logs.mkdir()
    try:
        button, _ = SHEETS["sessions"]
        court.anna.touch(button)
        court.anna.wait("performance.getEntriesByName(new URL('/api/sessions', location).href).length")
        yield court.anna
    finally:
        logs.rmdir()
        kept.rename(logs)


@state("sheet-session")
def _(court):
    _, session = SHEETS["sessions"]
    court.open_sheet("sessions").touch(session)
    court.anna.wait("document.querySelector(arguments[0])", SESSION, seconds=10)
    yield court.anna


@state("sheet-pairing")
def _(court):
    yield court.open_sheet("pairing", court.visit())


@state("sheet-more")
def _(court):
    yield court.open_sheet("more")


@state("sheet-cameras")
def _(court):
    phone = court.open_sheet("cameras")
    phone.wait("document.querySelector('#camera-network .quiet').textContent.includes('Not set up')", seconds=10)
    yield phone


@state("sheet-calibration")
def _(court):
    _, calibrate = SHEETS["cameras"]
    phone = court.open_sheet("cameras")
    phone.touch(calibrate)
    phone.wait("document.querySelector(arguments[0])?.href.baseVal", CALIBRATION, seconds=10)
    yield phone


# It is shown for 10 s, also in the state that follows: so it is the last one

@state("by-hand", brief=True)
def _(court):
    # The console waits until the ball may leave.
    court.box.ballmachine("console", "--yes", typed="send 105001050012002000\n")
    court.anna.wait("document.body.textContent.includes(arguments[0])", BY_HAND)
    yield court.anna
