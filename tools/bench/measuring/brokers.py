"""Brokers that clubs run, as Debian and PyPI have them, each on ports of loopback, with a user for a court."""

import contextlib
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from .processes import Failure, Process

USERS = ("court-1", "court-2", "office", "homeassistant")
PASSWORD = "secret"
START = 90


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as place:
        return place.getsockname()[1]


class System:
    """A Debian system in a folder."""

    def __init__(self, root, debian):
        self.root = root
        self.debian = debian

    def version(self, package):
        """The upstream one, and whose it is."""
        number = self.run("dpkg-query", "--show", "--showformat=${Version}", package).stdout
        return f"{number.rpartition('-')[0]}, Debian {self.debian}"

    def command(self, *words, user="root"):
        account = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return ["chroot", self.root, *account, *words]

    def run(self, *words, user="root", environment=None, check=True):
        return subprocess.run(self.command(*words, user=user), env=variables(environment), check=check, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=START)

    def apart(self, *words, user="root", environment=None):
        """A process that takes all of its descendants with it. The shell is root: another user's process would lose the
        signal that ends it."""
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc"]
        return Process([*apart, "sh", "-c", '"$@" & wait $!', "sh", *self.command(*words, user=user)],
                       variables(environment))

    @contextlib.contextmanager
    def folder(self, user):
        """A new one of this user's: where it is, and where it is for the system's programs."""
        folder = Path(tempfile.mkdtemp(prefix="ballmachine-", dir=self.root / "tmp"))
        try:
            inside = Path("/tmp") / folder.name
            self.run("chown", user, inside)
            yield folder, inside
        finally:
            shutil.rmtree(folder)


def variables(environment=None):
    """What this system has at other places."""
    own = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "TMPDIR": "/tmp", "HOME": "/tmp"}
    return own | (environment or {})


class Broker:
    """One that is started, ended and started again; all of it goes with the `with' block."""

    # Those of USERS, each with the password.
    has_users = True
    # In PEM: the connection is encrypted.
    authority = None

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        with self.stack:
            self.prepare()
            self.stack.callback(self.kill)
            self.start()
            self.stack = self.stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    @property
    def probe_port(self):
        """Where it speaks without TLS."""
        return self.port

    @property
    def other_port(self):
        """Where a second box and the office are."""
        return self.port

    def user(self, name):
        return (name.encode(), PASSWORD.encode()) if self.has_users else None

    def notes(self):
        """What was seen of it alone."""
        return []

    def prepare(self):
        self.port = free_port()

    def start(self):
        self.processes = self.run()
        for port in {self.port, self.other_port, self.probe_port}:
            self.wait_for(port)
        self.settle()

    def settle(self):
        """What is to be done when it listens."""

    def wait_for(self, port):
        end = time.monotonic() + START
        while True:
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", port)).close()
            ended = [one for one in self.processes if one.process.poll() is not None]
            if ended or time.monotonic() > end:
                said = [line for one in self.processes for line in one.lines if line]
                raise Failure(f"{self.title} does not start: {' '.join(said[-3:])} {''.join(one.errors for one in ended)}")
            time.sleep(0.1)

    def end(self):
        for process in self.processes:
            process.end()

    def kill(self):
        for process in self.processes:
            if process.process.poll() is None:
                process.process.kill()
                process.process.wait()


class RabbitMQ(Broker):
    """One, or a cluster of nodes."""

    PROGRAMS = "/usr/lib/rabbitmq/bin"

    def __init__(self, system, nodes=1):
        self.system = system
        self.nodes = nodes
        cluster = f", a cluster of {nodes}" if nodes > 1 else ""
        self.title = f"RabbitMQ {system.version('rabbitmq-server')}{cluster}"
        self.is_set_up = False

    @property
    def other_port(self):
        return self.ports[-1]

    def prepare(self):
        self.ports = [free_port() for _ in range(self.nodes)]
        self.port = self.ports[0]
        folder, inside = self.stack.enter_context(self.system.folder("rabbitmq"))
        (self.system.root / "etc/hosts").write_text("127.0.0.1 localhost\n")
        daemon = free_port()
        common = {"HOME": str(inside), "ERL_EPMD_PORT": str(daemon), "ERL_EPMD_ADDRESS": "127.0.0.1"}
        self.environments = []
        for number, port in enumerate(self.ports):
            (folder / f"{number}.conf").write_text(
                f"listeners.tcp = none\nmqtt.listeners.tcp.1 = 127.0.0.1:{port}\nlog.console = true\nlog.file = false\n")
            (folder / f"{number}.plugins").write_text("[rabbitmq_mqtt].\n")
            own = {"NODENAME": self.node(number), "DIST_PORT": free_port(), "CONFIG_FILE": inside / f"{number}.conf",
                   "ENABLED_PLUGINS_FILE": inside / f"{number}.plugins", "MNESIA_BASE": inside / f"{number}.data",
                   "LOG_BASE": inside / f"{number}.log", "PID_FILE": inside / f"{number}.pid",
                   "CONF_ENV_FILE": "/dev/null", "SERVER_START_ARGS": "-start_epmd false",
                   "SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}"}
            self.environments.append(common | {f"RABBITMQ_{name}": str(value) for name, value in own.items()})
        # It finds the nodes; it must outlive them.
        finder = self.system.apart("epmd", "-address", "127.0.0.1", "-port", str(daemon), user="rabbitmq")
        self.stack.callback(finder.process.wait)
        self.stack.callback(finder.process.kill)

    def node(self, number):
        return f"node{number}-{self.port}@localhost"

    def run(self):
        return [self.system.apart(f"{self.PROGRAMS}/rabbitmq-server", user="rabbitmq", environment=environment)
                for environment in self.environments]

    def control(self, number, *words):
        self.system.run(f"{self.PROGRAMS}/rabbitmqctl", "-q", *words, user="rabbitmq",
                        environment=self.environments[number])

    def settle(self):
        if self.is_set_up:
            return
        for number in range(1, self.nodes):
            for words in (["stop_app"], ["reset"], ["join_cluster", self.node(0)], ["start_app"]):
                self.control(number, *words)
        for user in USERS[:3]:
            self.control(0, "add_user", user, PASSWORD)
            self.control(0, "set_permissions", user, ".*", ".*", ".*")
        self.is_set_up = True

    def end(self):
        for number in reversed(range(self.nodes)):
            self.control(number, "stop")
            self.processes[number].process.wait(START)


class Ejabberd(Broker):
    def __init__(self, system):
        self.system = system
        self.title = f"ejabberd {system.version('ejabberd')}"

    def prepare(self):
        super().prepare()
        folder, inside = self.stack.enter_context(self.system.folder("ejabberd"))
        (folder / "ejabberd.yml").write_text(
            f'hosts: [localhost]\nloglevel: warning\nlisten: [{{port: {self.port}, ip: "127.0.0.1", module: mod_mqtt}}]\n'
            "auth_method: [internal]\nmodules: {mod_mqtt: {}}\n")
        self.environment = {"HOME": str(inside), "EJABBERD_PID_PATH": str(inside / "pid"),
                            "INET_DIST_INTERFACE": "127.0.0.1", "ERL_EPMD_ADDRESS": "127.0.0.1",
                            "ERL_EPMD_PORT": str(free_port())}
        self.words = ["ejabberdctl", "--spool", inside, "--logs", inside, "--config", inside / "ejabberd.yml",
                      "--ctl-config", "/dev/null"]

    def run(self):
        return [self.system.apart(*self.words, "foreground", user="ejabberd", environment=self.environment)]

    def control(self, *words, check=True):
        self.system.run(*self.words, *words, user="ejabberd", environment=self.environment, check=check)

    def settle(self):
        for user in USERS[:3]:
            # It knows them after its restart.
            self.control("register", user, "localhost", PASSWORD, check=False)

    def end(self):
        self.control("stop")
        self.processes[0].process.wait(START)


class Amqtt(Broker):
    def __init__(self, programs):
        self.programs = programs
        self.title = f"amqtt {python_version(programs, 'amqtt')}, PyPI"

    def prepare(self):
        super().prepare()
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory(prefix="ballmachine-amqtt-")))
        passwords = folder / "passwords"
        code = subprocess.run(["openssl", "passwd", "-6", PASSWORD], check=True, text=True, capture_output=True).stdout
        passwords.write_text("".join(f"{user}:{code}" for user in USERS))
        self.settings = folder / "settings.yaml"
        self.settings.write_text(
            f'listeners: {{default: {{type: tcp, bind: "127.0.0.1:{self.port}"}}}}\n'
            f"plugins: {{amqtt.plugins.authentication.FileAuthPlugin: {{password_file: {passwords}}}}}\n")

    def run(self):
        return [Process([self.programs / "amqtt", "-c", self.settings])]


class Rumqttd(Broker):
    """As iotcore has it, which has no users."""

    has_users = False

    def __init__(self, programs):
        self.programs = programs
        self.title = f"rumqttd (iotcore {python_version(programs, 'iotcore')}, PyPI)"

    def run(self):
        return [Process([self.programs / "iotcore", "--listen", "127.0.0.1", "--port", self.port])]


def python_version(programs, package):
    script = f"import importlib.metadata as it; print(it.version('{package}'))"
    return subprocess.run([programs / "python", "-c", script], check=True, text=True, capture_output=True).stdout.strip()
