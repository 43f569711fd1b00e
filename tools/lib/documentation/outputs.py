"""Runs the commands that the pages show, as their readers would: each page's in a shell of its own."""
import os
import re
import signal
import subprocess
import tempfile
import threading
from contextlib import contextmanager, ExitStack
from pathlib import Path

from . import picture

# Behind each command that is typed; no command prints it.
END = "\x1e"
# Seconds that a page's commands may take.
LIMIT = 60
# What the pages call the places that an installed service has.
PLACES = {"/run/ballmachine": "run", "/etc/ballmachine": "etc", "/var/lib/ballmachine": "state"}
SERVICE_IS_READY = "until ballmachine status 2> /dev/null | grep --quiet 'signal was'; do sleep 0.1; done"
PLAYER_IS_SEEN = "until ballmachine status 2> /dev/null | grep --quiet '^Player  *x'; do sleep 0.1; done"


def printed(program, page_blocks):
    """What the commands of a page's blocks print now: pairs of a block and its text, and what went
    wrong."""
    files = [block for block in page_blocks if block.kind == "file"]
    results, problems, threads = [], [], []
    jobs = [(shell, [block for block in page_blocks if block.kind == kind])
            for kind, shell in (("output", alone), ("service output", beside_a_service))]
    jobs += [(drawn, [block]) for block in page_blocks if block.kind == "picture"]

    def work(job, job_blocks):
        try:
            with stage(program, files) as (folder, environment):
                results.extend(zip(job_blocks, job(folder, environment, job_blocks)))
        except (OSError, RuntimeError) as error:
            problems.append(str(error))

    for job, job_blocks in jobs:
        if job_blocks:
            threads.append(threading.Thread(target=work, args=(job, job_blocks)))
            threads[-1].start()
    for thread in threads:
        thread.join()
    return results, problems


@contextmanager
def stage(program, files):
    """A folder with the program, the page's files, and places that no other bridge has."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place in ["bin", "home", *PLACES.values()]:
            (folder / place).mkdir(mode=0o700)
        (folder / "bin/ballmachine").symlink_to(Path(program).resolve())
        (folder / "etc/config.yaml").write_text("# No key is set.\n")
        for block in files:
            (folder / "home" / block.name).write_text(block.text)
        yield folder, {
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
            "HOME": f"{folder}/home",
            "LC_ALL": "C.UTF-8",
            "BALLMACHINE_CONFIG": f"{folder}/etc/config.yaml",
            "BALLMACHINE_RUNTIME_DIR": f"{folder}/run",
            "BALLMACHINE_STATE_DIRECTORY": f"{folder}/state",
        }


def alone(folder, environment, shown):
    return typed(folder, environment, shown, "")


def beside_a_service(folder, environment, shown):
    bus = f"unix:path={folder}/bus"
    environment = environment | {"DBUS_SYSTEM_BUS_ADDRESS": bus}
    with ExitStack() as stack:
        daemon = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"]
        daemon = stack.enter_context(running([*daemon, f"--address={bus}"], folder, environment))
        # It prints its address once it listens.
        daemon.stdout.readline()
        for subcommand in ("mock", "serve"):
            process = running(["ballmachine", subcommand], folder, environment,
                              stdout=subprocess.DEVNULL)
            stack.enter_context(process)
        return typed(folder, environment, shown, SERVICE_IS_READY)


def drawn(folder, environment, shown):
    return [f"$ {command}\n" + picture.of(in_folder(command, folder).split(), environment)
            for block in shown for command in block.commands]


@contextmanager
def running(command, folder, environment, stdout=subprocess.PIPE):
    """A process that is there while something else happens."""
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE,
                          stdout=stdout, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()


def typed(folder, environment, shown, first):
    """The blocks' texts after all their commands have been typed into one shell."""
    lines = [first, f"printf '{END}'"]
    for block in shown:
        for command in block.commands:
            lines += [with_errors(in_folder(command, folder)), f"printf '{END}'"]
            if block.kind == "service output" and command.endswith("&"):
                lines.append(PLAYER_IS_SEEN)
    with subprocess.Popen(["bash"], cwd=folder / "home", env=environment, text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, start_new_session=True) as shell:
        # What the commands leave in the background ends with their shell.
        lines.append("kill $(jobs -p) 2> /dev/null; exit")
        try:
            output, _ = shell.communicate("\n".join(lines) + "\n", timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
            output, _ = shell.communicate()
    outputs = as_shown(output, folder).split(END)[1:-1]
    commands = [(block, command) for block in shown for command in block.commands]
    if len(outputs) < len(commands):
        raise RuntimeError(f"this did not end within {LIMIT} s: {commands[len(outputs)][1]}")
    texts = [""] * len(shown)
    for (block, command), text in zip(commands, outputs):
        texts[shown.index(block)] += f"$ {command}\n{text}"
    return texts


def with_errors(command):
    """The command with its errors among what it prints, unless others run beside it."""
    if command.endswith("&") or command.startswith("dbus-run-session"):
        return command
    # A line of its own: the command may end with a comment.
    return f"{{ {command}\n}} 2>&1"


def in_folder(command, folder):
    """A page's command with the places of this run."""
    command = re.sub(r"\btools/run\b", "ballmachine simulate", command)
    for place, name in PLACES.items():
        command = command.replace(place, f"{folder}/{name}")
    return command


def as_shown(output, folder):
    for place, name in PLACES.items():
        output = output.replace(f"{folder}/{name}", place)
    return output
