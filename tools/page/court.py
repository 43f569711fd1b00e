"""A box with a player, a paired phone and another one, and what brings it into a state and back."""

import contextlib
import signal
import time

from box import MACHINE, walk
from browser import Failure
from parts import PAGE, SAID, SHEETS

DRILLS = {
    "last-ball": "{name: One ball, aim: plan, shots: [{zone: 3-0}], interval: 60, balls: 1, sets: 1, rest: 30}",
    "one-ball": "{name: One short ball, aim: plan, shots: [{zone: 1-0}], interval: 3, balls: 1, sets: 1, rest: 30}",
    "long-rest": "{name: A long rest, aim: plan, shots: [{zone: 3-3}], interval: 3, balls: 1, sets: 2, rest: 600}",
}
# Long enough to look at what silence and a lost link do.
SETTINGS = """\
court: {apron: 3}
safety: {silence-before-disarming: 600, link-loss-before-disarming: 600%s}
"""
WORDS = "[...document.querySelectorAll(arguments[0])].map(e => e.textContent).join()"


class Court:
    """Its phones are `anna', who is paired, and `guest'."""

    def __init__(self, box, driver):
        self.box = box
        (box.folder / "drills").mkdir()
        for name, text in DRILLS.items():
            (box.folder / f"drills/{name}.yaml").write_text(text + "\n")
        self.set()
        box.film()
        box.see_player()
        box.show()
        self.anna, self.guest = driver.phone(), driver.phone()
        for phone in (self.anna, self.guest):
            phone.command("Network.enable")
        self.anna.open(box.pair_phone()[0])
        wait(self.anna, paired="true")

    def settle(self):
        """To a machine that is ready, with nothing chosen and nothing armed."""
        self.box.player.place = walk
        self.box.reach("disarmed")
        # Sends the stop that a last ball keeps waiting.
        self.box.ballmachine("disarm")
        # A level that is lost keeps a drill from being let go.
        for what in ("level", "drill"):
            self.box.ballmachine(what, "--none")
        self.anna.run("document.querySelector('#close').click()")
        wait(self.anna, safety="disarmed", lost="false", paired="true", seconds=10)
        self.until(lambda safety: not safety["holds"])

    def set(self, safety=""):
        """The bridge's settings, with more keys of `safety'."""
        self.box.settings.write_text(SETTINGS % safety)
        self.box.ballmachine("reload")

    @contextlib.contextmanager
    def settings(self, safety):
        self.set(f", {safety}")
        try:
            yield
        finally:
            self.box.reach("disarmed")
            self.set()

    @contextlib.contextmanager
    def no_link(self, verbs, back):
        """Between the mock's verbs that end the link, and those that bring it back."""
        try:
            with self.other_words(self.anna):
                for verb in verbs:
                    self.box.machine(*verb)
                self.box.link(ready=False)
            yield
        finally:
            with self.other_words(self.anna):
                for verb in back:
                    self.box.machine(*verb)
                self.box.link()

    def machine_off(self):
        return self.no_link([("vanish", MACHINE)], [("appear", MACHINE)])

    @contextlib.contextmanager
    def service_off(self):
        self.box.kill(self.box.service)
        wait(self.anna, safety="away")
        try:
            yield
        finally:
            self.box.end(self.box.service)
            self.box.serve("waitingForBlueZ")
            wait(self.anna, lost="false")

    @contextlib.contextmanager
    def morning(self, known):
        """The service has started beside a machine that is off, known by a good link or not."""
        memory = self.box.folder / "state/machine.json"
        # A command that gets through makes a link a good one.
        self.box.ballmachine("stop")
        self.box.reach("disarmed")
        with self.machine_off(), self.service_off():
            self.box.machine("remove-object", MACHINE)
            if not known:
                memory.unlink()
            assert memory.exists() == known
            with self.other_words(self.anna):
                self.box.serve("discovering")
            wait(self.anna, safety="disarmed")
            yield

    @contextlib.contextmanager
    def page_stands_still(self):
        """The page's program answers nothing meanwhile."""
        self.box.web.send(signal.SIGSTOP)
        wait(self.anna, lost="true")
        try:
            yield
        finally:
            self.box.web.send(signal.SIGCONT)
            wait(self.anna, lost="false")

    @contextlib.contextmanager
    def no_stop_arrives(self, phone):
        phone.command("Network.setBlockedURLs", urls=["*/stop*"])
        try:
            yield
        finally:
            phone.command("Network.setBlockedURLs", urls=[])

    @contextlib.contextmanager
    def other_words(self, phone):
        """Waits until the page says something else than before."""
        parts = ", ".join(SAID)
        before = phone.run(f"return {WORDS}", parts)
        yield
        phone.wait(f"{WORDS} !== arguments[1]", parts, before, seconds=20)

    def live(self, *drill):
        """Of a drill, it has more than one ball: the page has to see it."""
        if drill:
            self.box.ballmachine("drill", *drill)
        self.box.reach("live")
        wait(self.anna, safety="live")

    def held(self, place, code):
        """Live, and held back for that alone since the player is there."""
        self.live()
        with self.other_words(self.anna):
            self.box.player.place = place
            self.until(lambda safety: [hold["code"] for hold in safety["holds"]] == [code])

    def until(self, wanted, seconds=30):
        """Until the box's safety is so."""
        end = time.monotonic() + seconds
        while not wanted(safety := self.box.status()["safety"]):
            if time.monotonic() > end:
                raise Failure(f"the box did not get there: {safety}")
            time.sleep(0.1)

    def until_code(self, code):
        self.until(lambda safety: safety.get("code") == code)

    def ended(self, code):
        """Until the session has ended by itself, and its last ball has come."""
        self.until_code(code)
        self.until(lambda safety: not safety["holds"])
        wait(self.anna, safety="disarmed")

    def visit(self):
        """The guest's phone, which has just opened the page."""
        self.guest.open(PAGE)
        wait(self.guest, paired="false", lost="false")
        return self.guest

    def open_sheet(self, name, phone=None):
        phone = phone or self.anna
        button, complete = SHEETS[name]
        phone.touch(button)
        phone.wait("document.querySelector(arguments[0])?.checkVisibility()", complete, seconds=10)
        return phone


def wait(phone, seconds=5, **data):
    """Until the page's `body.dataset' has these values."""
    for name, value in data.items():
        phone.wait("document.body?.dataset[arguments[0]] === arguments[1]", name, value, seconds=seconds)
