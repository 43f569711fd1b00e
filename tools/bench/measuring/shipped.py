"""mosquitto as Fleet.md sets it up: its steps, word for word, with the files that are shipped."""

import os
import pty
import re
import select
import shutil
import subprocess
import time

from .brokers import PASSWORD, USERS, Broker, free_port, variables
from .mqtt import Client
from .processes import Failure, Process

# What the steps begin with that a system for one broker doesn't have: the packages are there, and nothing starts it.
STAND_INS = {
    "sudo": 'if [ "$1" = -u ]; then exec setpriv --reuid="$2" --regid="$2" --init-groups "$0" "${@:3}"; fi; exec "$@"',
    "apt": "",
}
SHARE = "usr/share/ballmachine/mosquitto"
# Not what it says of a client that asks only whether it listens.
COMPLAINT = re.compile(r"^(?!.*Client connection).*(warning|error|deprecat|future versions)", re.IGNORECASE)
STAMP = re.compile(r"^\d+: ")
# How long a message may take that is to come, in seconds.
PROMPT = 0.5
# Those of a court that its list lets it write.
OWN = ("availability", "state", "link", "balls", "player", "drill", "problem", "session", "version", "box", "stop/outcome")


class Mosquitto(Broker):
    def __init__(self, system, project):
        self.system = system
        self.project = project
        self.title = f"mosquitto {system.version('mosquitto')}"
        self.complaints = []

    @property
    def probe_port(self):
        return self.plain

    def prepare(self):
        self.port, self.plain = free_port(), free_port()
        root = self.system.root
        shutil.rmtree(root / "etc/mosquitto/ballmachine", ignore_errors=True)
        shutil.rmtree(root / SHARE, ignore_errors=True)
        shutil.copytree(self.project / "tools/examples/mosquitto", root / SHARE)
        for name, script in STAND_INS.items():
            path = root / "usr/local/bin" / name
            path.write_text(f"#!/bin/bash\n{script}\n")
            path.chmod(0o755)
        self.certify(root / "etc/mosquitto/certs")
        self.follow(steps(self.project))
        settings = root / "etc/mosquitto/conf.d"
        shipped = settings / "ballmachine.conf"
        text = shipped.read_text()
        # On a port of loopback, and a second one for what is asked without TLS.
        shipped.write_text(re.sub(r"^listener 8883$", f"listener {self.port} 127.0.0.1", text, flags=re.MULTILINE))
        (settings / "probe.conf").write_text(f"listener {self.plain} 127.0.0.1\n")
        # As its unit does.
        self.account = "mosquitto" if "User=mosquitto" in self.unit() else "root"
        for folder in ("run", "var/log"):
            (root / folder / "mosquitto").mkdir(exist_ok=True)
            self.system.run("chown", "mosquitto:", f"/{folder}/mosquitto")
        self.log = root / "var/log/mosquitto/mosquitto.log"

    def unit(self):
        return (self.system.root / "usr/lib/systemd/system/mosquitto.service").read_text()

    def certify(self, folder):
        """The broker's certificate, as ballmachine-mqtt(1) makes and installs it."""
        self.authority = folder / "authority.pem"
        key = folder / "authority-key.pem"
        new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        names = folder / "names.txt"
        names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n")
        for command in (
            [*new, "-x509", "-days", "2", "-subj", "/CN=Club authority", "-addext", "keyUsage=critical,keyCertSign",
             "-keyout", key, "-out", self.authority],
            [*new, "-subj", "/CN=localhost", "-keyout", folder / "broker-key.pem", "-out", folder / "request.pem"],
            ["openssl", "x509", "-req", "-in", folder / "request.pem", "-CA", self.authority, "-CAkey", key,
             "-CAcreateserial", "-days", "2", "-extfile", names, "-out", folder / "broker.pem"],
        ):
            subprocess.run(command, check=True, capture_output=True)
        for name, mode in (("broker.pem", 0o644), ("authority.pem", 0o644), ("broker-key.pem", 0o640)):
            (folder / name).chmod(mode)
        self.system.run("chgrp", "mosquitto", "/etc/mosquitto/certs/broker-key.pem")

    def follow(self, script):
        """Runs the steps, and types the password each time that it is asked for."""
        path = self.system.root / "tmp/steps"
        path.write_text(script)
        master, slave = pty.openpty()
        process = subprocess.Popen(self.system.command("bash", "-e", "/tmp/steps"), env=variables(), stdin=slave,
                                   stdout=slave, stderr=slave)
        os.close(slave)
        said, answered = "", 0
        while process.poll() is None or select.select([master], [], [], 0)[0]:
            if not select.select([master], [], [], 0.1)[0]:
                continue
            try:
                said += os.read(master, 4096).decode(errors="replace")
            except OSError:
                break
            if (asked := said.count("assword: ")) > answered:
                os.write(master, f"{PASSWORD}\n".encode())
                answered = asked
        os.close(master)
        if process.wait():
            raise Failure(f"{self.title}: the steps failed: {said}")
        self.complain(said)

    def complain(self, said):
        lines = [STAMP.sub("", line.strip()) for line in said.splitlines() if COMPLAINT.search(line)]
        self.complaints = list(dict.fromkeys(self.complaints + lines))

    def run(self):
        self.log.unlink(missing_ok=True)
        words = ["/usr/sbin/mosquitto", "-c", "/etc/mosquitto/mosquitto.conf"]
        return [Process(self.system.command(*words, user=self.account), variables())]

    def settle(self):
        self.complain(self.log.read_text())

    def end(self):
        super().end()
        self.complain(self.processes[0].errors)

    def notes(self):
        missing = [*self.complaints, *self.mixed()]
        return missing or ["set up by the steps above, with TLS: no warning, and courts are kept apart"]

    # The access list

    def mixed(self):
        """Who reads or writes what another one alone may."""
        courts = {name: f"ballmachine/{name}/" for name in USERS[:2]}
        devices = {name: f"homeassistant/device/ballmachine/{name}/config" for name in courts}
        topics = [courts[name] + topic for name in courts for topic in (*OWN, "stop", "arm")]
        topics += [*devices.values(), "homeassistant/status", "x"]
        stops = [f"{name}stop" for name in courts.values()]
        may_write = {name: {courts[name] + topic for topic in OWN} | {devices[name]} for name in courts}
        may_write |= {"office": set(stops), "homeassistant": {*stops, "homeassistant/status"}}
        may_read = {name: {courts[name] + topic for topic in ("availability", "box", "stop")} | {"homeassistant/status"}
                    for name in courts}
        all_of_courts = {topic for topic in topics if topic.startswith("ballmachine/")}
        may_read |= {"office": all_of_courts, "homeassistant": all_of_courts | {"homeassistant/status", *devices.values()}}
        readers = {name: Client(self.plain, f"reader-{name}", user=self.user(name)) for name in USERS}
        for reader in readers.values():
            reader.subscribe(b"#")
        wrong = []
        for writer in USERS:
            with Client(self.plain, f"writer-{writer}", user=self.user(writer)) as client:
                for topic in topics:
                    client.publish(topic.encode(), writer.encode(), is_retained=False)
                for name, reader in readers.items():
                    heard = heard_from(reader, writer)
                    wanted = may_write[writer] & may_read[name]
                    wrong += [f"{writer} says {topic} to {name}" for topic in sorted(heard - wanted)]
                    wrong += [f"{name} doesn't hear {topic} of {writer}" for topic in sorted(wanted - heard)]
        for reader in readers.values():
            reader.socket.close()
        try:
            Client(self.plain, "guest").socket.close()
            wrong.append("a client without a user is let in")
        except Failure:
            pass
        return wrong


def heard_from(reader, writer):
    topics = set()
    end = time.monotonic() + PROMPT
    while reader.has_more(end - time.monotonic()):
        topics |= {topic.decode() for topic, payload in reader.messages() if payload == writer.encode()}
    return topics


def steps(project):
    """The first script below Fleet.md's `The broker'."""
    page = (project / "Sources/ballmachine/ballmachine.docc/Fleet.md").read_text()
    return re.search(r"^## The broker\n.*?^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[1]
