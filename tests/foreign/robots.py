"""Gates and their robots, of ROS 2 and of VDA 5050, as processes beside a station."""

import base64
import datetime
import hashlib
import ipaddress
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station import DEADLINE_S, Refused, eventually

EXAMPLES = Path(__file__).parents[2] / "crates/gate/examples"

# Steps of the commissioning of a base, and the result of one that went well.
STEPS = ("axis_x", "axis_y", "axis_turn", "stop_from_speed", "silence", "each_stop", "hardware_stop")
PASSED = {
    **{"outcome": "passed", "time_ms": 500, "speeds": [], "person": "Ada", "at_ms": 0},
    **dict.fromkeys(("distance_m", "time_ms_max", "distance_m_max")),
}


def ros2_environment(domain):
    """The environment of a program of ROS 2, which nobody outside this test hears."""
    return {**os.environ, "ROS_DOMAIN_ID": str(domain), "ROS_LOG_DIR": tempfile.gettempdir(), "RMW_IMPLEMENTATION": "rmw_fastrtps_cpp"}


def ros2_program(arguments, domain):
    """Starts a program with the Python that has ROS 2."""
    return subprocess.Popen([os.environ["QUARTERDECK_ROS2_PYTHON"], *map(str, arguments)], env=ros2_environment(domain))


def end(process):
    """Kills a process; nothing of it is left when this returns."""
    process.kill()
    process.wait(timeout=DEADLINE_S)


def begun(station, robot):
    """Arms a robot for its steps; nothing if that is refused."""
    try:
        return station.call("begin_commissioning", robot=robot, at_hardware_stop=True)
    except Refused:
        return None


def commissioning(station, robot):
    """How far a robot's commissioning is; nothing before its gate has told it."""
    gate = station.call("get_commissioning", robot=robot)["gate"]
    return gate and gate["commissioning"]


def hold_step(station, robot, step):
    """Holds the button of a step, as a window does, until the gate has its result."""

    def result():
        try:
            row = station.call("run_commissioning_step", robot=robot, step=step)["gate"]["commissioning"]
        except Refused as refused:
            # A busy machine has let go, and a person would press again.
            if refused.code == "step_broken_off":
                station.call("let_go_commissioning_step", robot=robot)
            if refused.code == "not_under_way":
                begun(station, robot)
            return None
        return None if row["running"] else next((one for one in row["results"] if one["step"] == step), None)

    found = eventually(result, f"the step {step} is over")
    station.call("let_go_commissioning_step", robot=robot)
    return found


class Rover:
    """A robot of the examples in a folder of its own; its gate is started by hand. Use as a context manager."""

    steps, files = STEPS, EXAMPLES

    def __init__(self, name):
        self.name, self.gate = name, None

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="quarterdeck-rover-"))
        self.manifest = self.folder / f"{self.name}.toml"
        shutil.copy(self.files / self.manifest.name, self.manifest)
        self.wire()
        key = subprocess.run(self.command("key"), check=True, capture_output=True, text=True).stdout.strip()
        # A busy machine takes the processor away for longer than a robot's would.
        lines = re.sub(r"max_age_ms = \d+", "max_age_ms = 2000", self.manifest.read_text()).splitlines()
        self.manifest.write_text("\n".join(key if line.startswith("public_key") else line for line in lines))
        return self

    def __exit__(self, *_failure):
        if self.gate:
            end(self.gate)
        shutil.rmtree(self.folder)

    def command(self, act):
        return [os.environ["QUARTERDECK_GATE"], act, "--config", str(self.folder / "gate.toml")]

    def wiring(self):
        """The example's wiring, with whatever is another one here."""
        return (self.files / f"{self.name}.gate.toml").read_text().replace('"./', f'"{EXAMPLES}/')

    def wire(self, endpoint="tcp/127.0.0.1:7447", station=""):
        text = self.wiring().replace('tcp/127.0.0.1:7447" }', f'{endpoint}"{station} }}')
        (self.folder / "gate.toml").write_text(text)

    def start_gate(self, station):
        """Starts the gate of a robot that was commissioned as it is wired now."""
        self.wire_to(station)
        self.commission()
        self.run_gate()

    def start_uncommissioned_gate(self, station):
        self.wire_to(station)
        self.run_gate()

    def commission(self):
        """Writes the record of a commissioning in which every step went well, as the gate signs it."""
        state = self.folder / f"{self.name}.state"
        sha256 = lambda content: hashlib.sha256(content).hexdigest()
        hashes = {
            "manifest": sha256(self.manifest.read_bytes()),
            "wiring": sha256((self.folder / "gate.toml").read_bytes()),
            "program": sha256(b""),
        }
        record = json.dumps({"robot": self.name, "hashes": hashes, "steps": [{**PASSED, "step": step} for step in self.steps]})
        key = Ed25519PrivateKey.from_private_bytes((state / "key").read_bytes())
        signature = key.sign(b"quarterdeck-1\0commissioning.json\0" + record.encode())
        signed = {"record": record, "signature": base64.b64encode(signature).decode()}
        (state / "commissioning.json").write_text(json.dumps(signed))

    def wire_to(self, station):
        info = station.call("session_info")
        self.wire(info["zenoh_endpoints"][0], f', id = "{info["station"]}", public_key = "{info["public_key"]}"')

    def run_gate(self):
        self.gate = subprocess.Popen(self.command("run"))

    def signal_gate(self, name):
        self.gate.send_signal(getattr(signal, name))


class Ros2Rover(Rover):
    """The rover of ROS 2, whose robot runs."""

    def __init__(self, domain, *flags):
        super().__init__("rover-2")
        self.domain, self.flags = domain, flags

    def __enter__(self):
        super().__enter__()
        arguments = [EXAMPLES / "ros2_robot.py", "--trace", self.folder / "trace.json", *self.flags]
        self.robot = ros2_program(arguments, self.domain)
        return self

    def __exit__(self, *failure):
        end(self.robot)
        super().__exit__(*failure)

    def wiring(self):
        return super().wiring().replace("domain = 0 ", f"domain = {self.domain} ")

    def trace(self):
        """The robot itself, whatever anybody says of it; nothing before its first step."""
        path = self.folder / "trace.json"
        return json.loads(path.read_text()) if path.exists() else None

    def until(self, holds, what):
        return eventually(lambda: (trace := self.trace()) and holds(trace) and trace, what)


class NavRover(Ros2Rover):
    """The rover of ROS 2 under a planner: its action server drives it to goals, and is a process of its own."""

    steps = STEPS[-2:]

    def __init__(self, domain, *flags, drives=False):
        super().__init__(domain, *("--mux", "--watchdog"))
        self.server_flags, self.drives = flags, drives
        if drives:
            self.steps = STEPS

    def __enter__(self):
        super().__enter__()
        text = self.manifest.read_text().replace('path = "segment"', 'path = "own"')
        self.manifest.write_text(text)
        self.start_server()
        return self

    def start_server(self):
        program = os.environ["QUARTERDECK_NAV_SERVER"]
        with (self.folder / "server.json").open("w") as told:
            self.server = subprocess.Popen([program, str(self.domain), *self.server_flags], stdout=told)

    def __exit__(self, *failure):
        end(self.server)
        super().__exit__(*failure)

    def wiring(self):
        driven = 'cmd_vel = { topic = "cmd_vel_quarterdeck" }' if self.drives else ""
        text = super().wiring().replace('cmd_vel = { topic = "cmd_vel" }', f'navigate = "navigate_to_pose"\n{driven}')
        return text.replace('cancel_action = ["navigate_to_pose"]', "")

    def told(self):
        """What the action server was asked, and the state of its newest goal; nothing before its first word."""
        lines = (self.folder / "server.json").read_text().split("\n")
        return json.loads(lines[-2]) if len(lines) > 1 else None

    def until_told(self, holds, what):
        return eventually(lambda: (told := self.told()) and holds(told) and told, what)


class ArmRover(Rover):
    """The arm of ROS 2: its controller, a process of its own, is the whole robot."""

    steps, its_name = ("joints", *STEPS[-2:]), "ur-1"
    told, until_told = NavRover.told, NavRover.until_told

    def __init__(self, domain, *flags):
        super().__init__(self.its_name)
        self.domain, self.flags = domain, flags

    def __enter__(self):
        super().__enter__()
        self.start_server()
        return self

    def start_server(self):
        program = os.environ["QUARTERDECK_ARM_SERVER"]
        with (self.folder / "server.json").open("w") as told:
            self.server = subprocess.Popen([program, str(self.domain), *self.flags], stdout=told)

    def __exit__(self, *failure):
        end(self.server)
        super().__exit__(*failure)

    def wiring(self):
        return super().wiring().replace("domain = 3\n", f"domain = {self.domain}\n")

    def all_told(self):
        """Every whole line of the controller."""
        return [json.loads(line) for line in (self.folder / "server.json").read_text().split("\n")[:-1]]


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Broker:
    """A mosquitto on a port of its own, which can be killed and started again. Use as a context manager."""

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="quarterdeck-broker-"))
        self.port, self.tls_port = free_port(), free_port()
        config = self.folder / "mosquitto.conf"
        config.write_text(f"per_listener_settings true\npersistence false\nlistener {self.port} 127.0.0.1\nallow_anonymous true\n{self.tls()}")
        self.start()
        return self

    def tls(self):
        """A second listener that is encrypted and asks for a password."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "fleet")])
        now = datetime.datetime.now(datetime.timezone.utc)
        built = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + datetime.timedelta(days=1))
        address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        certificate = built.add_extension(address, critical=False).sign(key, hashes.SHA256())
        plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        (self.folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
        (self.folder / "ca.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        users = self.folder / "users"
        subprocess.run(["mosquitto_passwd", "-b", "-c", str(users), "gate", "open sesame"], check=True, stderr=subprocess.DEVNULL)
        for path in self.folder.iterdir():
            path.chmod(0o644)
        self.folder.chmod(0o755)
        files = f"certfile {self.folder}/ca.pem\nkeyfile {self.folder}/key.pem\npassword_file {users}\n"
        return f"listener {self.tls_port} 127.0.0.1\nallow_anonymous false\n{files}"

    def __exit__(self, *_failure):
        end(self.process)
        shutil.rmtree(self.folder)

    def start(self):
        program = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
        self.process = subprocess.Popen([program, "-c", str(self.folder / "mosquitto.conf")], stderr=subprocess.DEVNULL)
        eventually(self.answers, "the broker listens")

    def answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class AgvRover(Rover):
    """The vehicle of VDA 5050, which runs, and its broker."""

    steps = STEPS[-1:]

    def __init__(self, *flags):
        super().__init__("agv-1")
        self.flags, self.broker = flags, Broker()

    def __enter__(self):
        self.broker.__enter__()
        super().__enter__()
        arguments = ["--port", self.broker.port, "--trace", self.folder / "trace.json", *self.flags]
        self.robot = subprocess.Popen([sys.executable, str(Path(__file__).with_name("agv.py")), *map(str, arguments)])
        return self

    def __exit__(self, *failure):
        end(self.robot)
        super().__exit__(*failure)
        self.broker.__exit__(*failure)

    def wiring(self):
        return super().wiring().replace("127.0.0.1:1883", f"127.0.0.1:{self.broker.port}")

    trace = Ros2Rover.trace
    until = Ros2Rover.until
