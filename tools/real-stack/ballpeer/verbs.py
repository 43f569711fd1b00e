"""The verbs: one table, which the parser and the help text come from."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable

from . import frames, profiles
from .answers import KINDS
from .description import Description
from .errors import LineError
from .machine import REMOTE_USER
from .words import Words

# Source: Bluetooth Core 5.4, Vol 3, Part F, 3.2.8 and 3.2.9: a value of 512 bytes, and a header.
LARGEST_MTU = 517
STAGES = ("establishing", "connecting", "resolving", "writing")


@dataclasses.dataclass(frozen=True)
class Verb:
    """`act(world, words)` takes the operands and returns what is to be awaited until the effect is
    complete."""

    name: str
    operands: str
    meaning: str
    act: Callable[[object, Words], Awaitable | None]


VERBS: dict[str, Verb] = {}


def verb(name, operands, meaning):
    """Enters a function into the table. It parses all operands before it changes anything."""

    def enter(act):
        VERBS[name] = Verb(name, operands, meaning, act)
        return act

    return enter


async def perform(world, line):
    """Does what a line says; returns its verb's name, or None for a blank line.

    Raises LineError or MachineError with a text for the line's author.
    """
    words = Words(line)
    if not words.rest:
        return None
    name = words.next("a verb")
    form = VERBS.get(name)
    if form is None:
        raise LineError(f'"{name}" is not a verb; "help" lists them')
    try:
        effect = form.act(world, words)
    except LineError as error:
        raise LineError(f"{error} ({name} {form.operands})".replace(" )", ")")) from None
    if effect is not None:
        await effect
    return name


def help_text():
    lines = [f"  {verb.name} {verb.operands}\n      {verb.meaning}" for verb in VERBS.values()]
    return (
        'MACHINE is an address or an advertised name; TIMES is "times N", "always" or nothing\n'
        "(once); S is seconds; PROFILE is one of\n"
        f"  {' '.join(profiles.PROFILES)}\n\n" + "\n".join(lines)
    )


# The world


@verb(
    "machine",
    "ADDRESS [name N] [gap-name N] [profile PROFILE] [encoding digits|framed] "
    "[check-byte modbus|xor] [advertises UUID,…|nothing] [flags F,…] [rssi N] [mtu N] [public] "
    "[absent] [database-hash]",
    "Add a machine, or replace the one with this address.",
)
def _machine(world, words):
    told = {"address": words.address()}
    while words.rest:
        option = words.next("an option")
        match option:
            case "name":
                told["name"] = words.next("a name")
            case "gap-name":
                told["gap_name"] = words.next("a name")
            case "profile":
                told["profile"] = words.choice("a profile", profiles.PROFILES)
            case "encoding":
                told["encoding"] = words.choice("an encoding", ("digits", "framed"))
            case "check-byte":
                told["check_byte"] = words.choice("a check byte", frames.CHECK_BYTES)
            case "advertises":
                told["advertised"] = [] if words.take("nothing") else words.uuids()
            case "flags":
                told["flags"] = words.list("a list of flags")
                for flag in told["flags"]:
                    if flag not in profiles.FLAGS:
                        raise LineError(
                            f'"{flag}" is not a flag: one of {", ".join(profiles.FLAGS)}'
                        )
            case "rssi":
                told["rssi"] = words.integer("a signal strength", -127, 20)
            case "mtu":
                told["mtu"] = words.integer("an MTU", 23, LARGEST_MTU)
            case "public":
                told["is_public"] = True
            case "absent":
                told["is_absent"] = True
            case "database-hash":
                told["has_database_hash"] = True
            case _:
                raise LineError(f'"{option}" is not expected here')
    return world.add_machine(Description(**told))


@verb("vanish", "MACHINE", "Switch the machine off: no advertisements, its link times out.")
def _vanish(world, words):
    return _machine_alone(world, words).vanish()


@verb("appear", "MACHINE", "Switch it on again.")
def _appear(world, words):
    _machine_alone(world, words).appear()


@verb("new-address", "MACHINE ADDRESS", "Drop its link and go on under another address.")
def _new_address(world, words):
    name, address = words.machine(), words.address()
    words.end()
    return world.move(world.find(name), address)


@verb("add-adapter", "hciN ADDRESS", "Plug a controller in, off; the kernel chooses the name.")
def _add_adapter(world, words):
    name, address = words.adapter(), words.address()
    words.end()
    return world.add_adapter(name, address)


@verb("remove-adapter", "hciN", "Unplug a controller.")
def _remove_adapter(world, words):
    name = words.adapter()
    words.end()
    world.remove_adapter(name)


@verb("reset", "", "As at the start: no machines, and one controller, hci0.")
def _reset(world, words):
    words.end()
    return world.reset()


# The link


@verb(
    "drop",
    "MACHINE [REASON | at establishing|connecting|resolving|writing TIMES]",
    "The machine ends its link, now (reason 0x13 by default, 0x08 is out of range) or at that stage:\n"
    "      establishing is 0x3e before anything is said, connecting is the first ATT request, and\n"
    "      resolving is the first of the discovery. Linux 6.1.192 survives neither of the first\n"
    "      two (use after free in hci_chan_del): they are for a boot of their own.",
)
def _drop(world, words):
    name = words.machine()
    if words.take("at"):
        stage, times = words.choice("a stage", STAGES), words.times()
        words.end()
        world.find(name).faults.add(f"drop at {stage}", times)
        return None
    reason = words.integer("a reason", 0x01, 0xFF) if words.rest else REMOTE_USER
    words.end()
    return world.find(name).dropped(reason)


@verb("resolve-hangs", "MACHINE TIMES", "The discovery of services is left unanswered.")
def _resolve_hangs(world, words):
    _add_fault(world, words, "resolve-hangs")


# GATT


@verb(
    "hang-writes",
    "MACHINE [lost] TIMES",
    "Write requests reach the machine (or are lost) and are never answered, nor is what follows.",
)
def _hang_writes(world, words):
    _add_fault(world, words, "hang-writes", lambda: "lost" if words.take("lost") else None)


@verb(
    "fail-writes",
    "MACHINE ATT-CODE TIMES",
    "A write request is answered with this error; the machine sees nothing.",
)
def _fail_writes(world, words):
    _add_fault(world, words, "fail-writes", lambda: words.integer("an ATT error", 0x01, 0xFF))


@verb("delay-writes", "MACHINE S", "Write requests are answered so much later (0: at once again).")
def _delay_writes(world, words):
    name, delay = words.machine(), words.seconds()
    words.end()
    world.find(name).faults.write_delay = delay


@verb("change-table", "MACHINE profile PROFILE", "New firmware, with Service Changed.")
def _change_table(world, words):
    return _change(world, words, silently=False)


@verb("silent-table-change", "MACHINE profile PROFILE", "New firmware, untold.")
def _silent_table_change(world, words):
    return _change(world, words, silently=True)


@verb("notify", "MACHINE TEXT", "The machine sends a notification.")
def _notify(world, words):
    name, text = words.machine(), words.next("a text")
    words.end()
    world.find(name).notify(text.encode())


@verb("notify-bytes", "MACHINE HEX", "The same with these bytes, such as 5aa582013f.")
def _notify_bytes(world, words):
    name, value = words.machine(), words.bytes()
    words.end()
    world.find(name).notify(value)


@verb(
    "garbage",
    "MACHINE SEED S TIMES",
    "Every S seconds the machine sends bytes that nothing asked for, the same for the same seed.",
)
def _garbage(world, words):
    name, seed, interval = words.machine(), words.integer("a seed", 0, 0xFFFFFFFF), words.seconds()
    if interval < 0.001:
        raise LineError("garbage comes at most every millisecond")
    times = words.times()
    words.end()
    world.find(name).answers.begin_garbage(seed, interval, times)


@verb("fail-notify", "MACHINE ATT-CODE TIMES", "The machine refuses a subscription.")
def _fail_notify(world, words):
    _add_fault(world, words, "fail-notify", lambda: words.integer("an ATT error", 0x01, 0xFF))


@verb("slow-notify", "MACHINE S TIMES", "A subscription is answered so much later.")
def _slow_notify(world, words):
    _add_fault(world, words, "slow-notify", words.seconds)


@verb(
    "answers",
    f"MACHINE {'|'.join(KINDS)} TIMES",
    "What a framed machine's answers to a command are: none, refused, accepted but never\n"
    "      completed, with a wrong check byte or the other one, each twice, or only 3 bytes of each.",
)
def _answers(world, words):
    _add_fault(world, words, "answers", lambda: words.choice("an answer", KINDS))


@verb("late-answers", "MACHINE S TIMES", "They come so much later.")
def _late_answers(world, words):
    _add_fault(world, words, "late-answers", words.seconds)


@verb("clear-faults", "[MACHINE]", "Remove the faults that have not occurred yet.")
def _clear_faults(world, words):
    machines = [world.find(words.machine())] if words.rest else list(world.machines.values())
    words.end()
    for machine in machines:
        machine.faults.clear()
        machine.answers.end_garbage()


# The session


@verb("wait", "S", "Wait before the next line.")
def _wait(_, words):
    seconds = words.seconds()
    words.end()
    return asyncio.sleep(seconds)


@verb("help", "", "List the verbs.")
def _help(_, words):
    words.end()


@verb("quit", "", "End.")
def _quit(_, words):
    words.end()


def _machine_alone(world, words):
    name = words.machine()
    words.end()
    return world.find(name)


def _add_fault(world, words, kind, detail=lambda: None):
    name, found = words.machine(), detail()
    times = words.times()
    words.end()
    world.find(name).faults.add(kind, times, found)


def _change(world, words, silently):
    name = words.machine()
    if not words.take("profile"):
        raise LineError('"profile" is missing')
    profile = words.choice("a profile", profiles.PROFILES)
    words.end()
    return world.find(name).change_table(profile, silently)
