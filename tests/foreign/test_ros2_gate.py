"""A robot of ROS 2 (rclpy, Fast DDS) behind its gate: seen, driven and stopped by a station."""

import contextlib
import os
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from robots import Ros2Rover, begun, commissioning, end, hold_step, ros2_program
from station import DEADLINE_S, Refused, Station, eventually

# Each test has its domain, below those that people use.
DOMAINS = iter(range(84, 100))
# Between two velocities of a station, seconds.
AGAIN_S = 0.1

# Length of a scan, seconds, and how often a busy machine may be late.
SCAN_S, SCANS = 8, 5

# What only a person knows of rover-2, or no message of its says.
PERSON = {
    "site": "lab",
    "hardware_stop": "red button on the mast",
    "radius": "0.25",
    "localisation_error": "0.02",
    "margin": "0.05",
    "speed": "0.5",
    "rotation": "1",
    "acceleration": "1",
    "goal_jump": "10",
    "workspace": "-10 10 -10 10 -1 1",
    "envelope": "-50 50 -50 50 -1 1",
    "stop_behaviour": "hold",
    "carries_load": "no",
    "reaction": "0.3",
    "braking": "0.5",
    "stop_services": "stop_motion",
}

# Another source of motion, as a joystick's node is one.
JOYSTICK = """
import rclpy
from geometry_msgs.msg import TwistStamped
rclpy.init()
node = rclpy.create_node("joystick")
node.create_publisher(TwistStamped, "cmd_vel", 10)
rclpy.spin(node)
"""

# A mux with its parameters, as twist_mux has them; one of them has no value.
MUX = """
import sys
import rclpy
from geometry_msgs.msg import TwistStamped
from rclpy.parameter import Parameter
rclpy.init()
node = rclpy.create_node("twist_mux")
for part, topic, priority in (("topics.joystick", "cmd_vel_joy", int(sys.argv[1])), ("topics.quarterdeck", "cmd_vel_quarterdeck", 200), ("locks.quarterdeck", "quarterdeck_lock", 200)):
    node.declare_parameter(part + ".topic", topic)
    node.declare_parameter(part + ".timeout", 0.5)
    node.declare_parameter(part + ".priority", priority)
node.declare_parameter("topics.spare.topic", Parameter.Type.STRING)
node.create_subscription(TwistStamped, "cmd_vel_quarterdeck", lambda _: None, 10)
rclpy.spin(node)
"""


class MuxRover(Ros2Rover):
    """The rover as an input of a mux."""

    def wiring(self):
        behind = 'cmd_vel = { topic = "cmd_vel_quarterdeck", mux = "twist_mux", lock = "quarterdeck_lock" }'
        return super().wiring().replace('cmd_vel = { topic = "cmd_vel" }', behind)


class Driving:
    """A station sends a velocity again and again, as a person does who holds a key."""

    def __init__(self, station, x_mps):
        self.station, self.x_mps, self.ended, self.refused = station, x_mps, threading.Event(), []

    def __enter__(self):
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def __exit__(self, *_failure):
        self.ended.set()
        self.thread.join()

    def run(self):
        while not self.ended.wait(AGAIN_S):
            answer = self.once()
            if answer:
                self.refused.append(answer)

    def once(self):
        try:
            motion = {"linear_mps": [self.x_mps, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0]}
            answer = self.station.call("jog", robot="rover-2", actuator="base", **motion)
            return None if answer["verdict"]["overall"] == "allow" else answer["verdict"]
        except Refused as refused:
            return str(refused)


def robot(station):
    return next(row for row in station.call("list_robots") if row["id"] == "rover-2")


def status(station):
    rows = station.call("safety_status")["robots"]
    return next(row for row in rows if row["robot"] == "rover-2")


def arms(station):
    try:
        return station.call("arm_robot", robot="rover-2")
    except Refused:
        return None


@contextlib.contextmanager
def armed(*flags):
    """A station, and the rover behind its gate, which was armed."""
    with Ros2Rover(next(DOMAINS), *flags) as rover, Station(manifests=[rover.manifest]) as station:
        rover.start_gate(station)
        eventually(lambda: robot(station)["link"] == "live" and robot(station)["pose"], "a pose of rover-2")
        eventually(lambda: status(station)["arming_problem"] is None, "rover-2 may be armed")
        eventually(lambda: arms(station), "rover-2 is armed")
        yield station, rover


def found(station, domain):
    """The one robot of a domain, once its messages were heard."""
    for _ in range(SCANS):
        finds = station.call("scan_robots", domains=[domain], routers=[], seconds=SCAN_S)["finds"]
        if finds and any(proposal["field"] == "frame" for proposal in finds[0]["fields"]):
            return finds
    raise AssertionError(f"nothing was found in domain {domain}")


class Finding(unittest.TestCase):
    def test_rg_38_rg_40_a_robot_of_rclpy_is_found_and_its_draft_passes_once_a_person_has_filled_it_in(self):
        with Ros2Rover(next(DOMAINS), "--plain") as rover, Station() as station, tempfile.TemporaryDirectory() as folder:
            (find,) = found(station, rover.domain)
            self.assertEqual((find["certainty"], find["lacks"]), ("certain", []))
            proposed = {row["field"]: row["value"] for row in find["fields"] if row["value"] is not None}
            self.assertEqual(
                {field: proposed[field] for field in ("robot", "pose", "frame", "command_topic")},
                {"robot": "base-driver", "pose": "odom /odom", "frame": "odom", "command_topic": "/cmd_vel"},
            )
            self.assertFalse(PERSON.keys() & proposed.keys() - {"localisation_error"})
            fields = [{"field": field, "value": value} for field, value in {**proposed, **PERSON}.items()]
            open_fields = station.call("draft_robot", protocol="ros2_dds", fields=find_fields(find))["problems"]
            self.assertLessEqual({"hardware_stop", "workspace", "carries_load"}, {row["field"] for row in open_fields})
            self.assertEqual(station.call("draft_robot", protocol="ros2_dds", fields=fields)["problems"], [])
            gate = Path(folder) / "gate"
            station.call("prepare_robot", folder=str(gate), protocol="ros2_dds", fields=fields)
            # Any key will do for a check; the pairing writes the gate's own.
            key = next(line for line in rover.manifest.read_text().splitlines() if line.startswith("public_key"))
            manifest = gate / "base-driver.toml"
            manifest.write_text(f"{key}\n{manifest.read_text()}".replace("max_age_ms = 500", "max_age_ms = 2000"))
            program = [os.environ["QUARTERDECK_GATE"], "check", "--config", str(gate / "gate.toml")]
            checked = subprocess.run(program, capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, checked.stdout)
            self.assertIn("somebody listens for Twist", checked.stdout)


def find_fields(find):
    """The proposals of a find as they came, none of them confirmed."""
    keys = ("field", "value", "source", "at", "is_guess")
    return [{key: row[key] for key in keys} for row in find["fields"] if row["value"] is not None]


class Ros2Gate(unittest.TestCase):
    def drive(self, station, rover):
        """Drives until the robot itself says that it moves."""
        driving = Driving(station, 0.3)
        with driving:
            rover.until(lambda trace: trace["speed"] > 0.2, f"it moves: {driving.refused[-1:]}")
        return driving

    def test_rg_25_rg_60_a_robot_of_ros_2_is_seen_driven_and_stopped_by_stop_all(self):
        for flags in ((), ("--plain",)):
            with self.subTest(flags=flags), armed(*flags) as (station, rover), Driving(station, 0.3):
                rover.until(lambda trace: trace["speed"] > 0.2, "it moves")
                eventually(lambda: robot(station)["pose"]["position_m"][0] > 0.1, "the pose moves in the station")
                station.call("stop_all")
                rover.until(lambda trace: trace["speed"] == 0.0, "it stands")
                rover.until(lambda trace: trace["stops"] and trace["cancels"], "its service was called, every goal cancelled")
                row = eventually(lambda: self.stopped(station), "standstill was measured")
                self.assertFalse(row["not_confirmed"])
                moved = rover.trace()["x"]
                eventually(lambda: Driving(station, 0.3).once(), "motion is refused")
                self.assertEqual(rover.trace()["x"], moved)

    def stopped(self, station):
        row = station.call("safety_status")["stops"][0]["robots"][0]
        return row if row["acked_after_ms"] is not None and row["standstill"] else None

    def test_rg_14_rg_60_a_second_publisher_is_named_motion_refused_and_a_stop_still_sent(self):
        with armed() as (station, rover):
            self.drive(station, rover)
            joystick = ros2_program(["-c", JOYSTICK], rover.domain)
            try:
                refusal = lambda: str(Driving(station, 0.3).once())
                eventually(lambda: "arbitration" in refusal(), "motion is refused while somebody else can command")
                rover.until(lambda trace: trace["speed"] == 0.0, "the gate's own motion has ended")
                before = rover.trace()["commands"]
                station.call("stop_all")
                rover.until(lambda trace: trace["commands"] > before and trace["stops"] > 0, "the stop still comes")
            finally:
                end(joystick)

    def test_rg_11_rg_60_a_robot_whose_gate_is_killed_goes_on_and_the_station_says_that_the_gate_is_gone(self):
        with armed() as (station, rover):
            with Driving(station, 0.3):
                before = rover.until(lambda trace: trace["speed"] > 0.2, "it moves")
                rover.signal_gate("SIGKILL")
                rover.gate.wait(timeout=DEADLINE_S)
            eventually(lambda: robot(station)["link"] == "lost", "the gate is gone")
            rover.until(lambda trace: trace["x"] > before["x"] + 0.5 and trace["speed"] > 0.2, "it goes on without its gate")
            eventually(lambda: "beat_lost" in str(status(station)["causes"]), "its beats are missed")

    def test_rg_10_rg_60_a_gate_that_is_told_to_end_stops_the_robot_first(self):
        with armed() as (station, rover):
            with Driving(station, 0.3):
                rover.until(lambda trace: trace["speed"] > 0.2, "it moves")
                rover.signal_gate("SIGTERM")
                self.assertEqual(rover.gate.wait(timeout=DEADLINE_S), 0)
            rover.until(lambda trace: trace["speed"] == 0.0, "it stands")

    def test_rg_12_rg_60_a_robot_that_refuses_its_stop_service_latches_and_stands_by_the_zeros(self):
        with armed("--refuse") as (station, rover):
            self.drive(station, rover)
            station.call("stop_all")
            rover.until(lambda trace: trace["speed"] == 0.0, "it stands")
            eventually(lambda: "robot_gate_fault" in str(status(station)["causes"]), "the refusal is a fault")

    def test_rg_31_rg_60_a_robot_of_ros_2_is_commissioned_by_its_steps_and_driven_then(self):
        domain = next(DOMAINS)
        with Ros2Rover(domain, "--watchdog") as rover, Station(manifests=[rover.manifest]) as station:
            rover.start_uncommissioned_gate(station)
            eventually(lambda: commissioning(station, "rover-2"), "the gate says what it needs")
            eventually(lambda: robot(station)["link"] == "live" and robot(station)["pose"], "a pose of rover-2")
            with self.assertRaisesRegex(Refused, "not_commissioned"):
                station.call("arm_robot", robot="rover-2")
            eventually(lambda: begun(station, "rover-2"), "it is armed for its steps")
            steps = ("axis_x", "axis_y", "axis_turn", "stop_from_speed", "silence", "each_stop")
            results = {step: hold_step(station, "rover-2", step) for step in steps}
            outcomes = {step: result["outcome"] for step, result in results.items()}
            self.assertEqual(outcomes["axis_x"], "passed")
            self.assertEqual(outcomes["axis_y"], "no_such_axis", "a differential base cannot go sideways")
            self.assertEqual(outcomes["axis_turn"], "passed")
            self.assertIn(outcomes["stop_from_speed"], ("passed", "stops_worse"))
            self.assertEqual(outcomes["silence"], "passed", "its watchdog has stopped it")
            tried = [(result["means"], result["outcome"]) for result in results["each_stop"]["means"]]
            self.assertEqual(tried, [("zeros", "stopped"), ({"cancel": "/navigate_to_pose"}, "answered"), ({"service": "/stop_motion"}, "stopped")])
            self.assertEqual(outcomes["each_stop"], "passed")
            self.assertIn(commissioning(station, "rover-2")["missing"], ("hardware_stop", "stop_from_speed"))

    def test_rg_03_rg_26_check_says_what_it_sees_of_the_robot(self):
        with Ros2Rover(next(DOMAINS)) as rover:
            rover.until(lambda trace: "x" in trace, "the robot runs")
            checked = subprocess.run(rover.command("check"), capture_output=True, text=True)
            self.assertIn("/cmd_vel: somebody listens for TwistStamped", checked.stdout)
            self.assertIn("/cmd_vel: nobody else publishes", checked.stdout)
            self.assertIn("/stop_motion: somebody serves it", checked.stdout)
            self.assertIn("/navigate_to_pose/_action/cancel_goal: somebody serves it", checked.stdout)
            self.assertIn("Nothing is wrong.", checked.stdout)
            joystick = ros2_program(["-c", JOYSTICK], rover.domain)
            try:
                seen = lambda: subprocess.run(rover.command("check"), capture_output=True, text=True)
                wrong = eventually(lambda: (run := seen()).returncode and run, "the joystick is seen")
            finally:
                end(joystick)
            self.assertIn("/joystick publishes on /cmd_vel too", wrong.stdout)

    def test_rg_26_check_reads_the_order_of_a_mux_of_rclpy_and_refuses_one_in_which_a_joystick_wins(self):
        for priority, said in (
            (100, "ok     /twist_mux: /cmd_vel_quarterdeck wins over every other input"),
            (255, "WRONG  /twist_mux: topics.joystick.priority is 255, and topics.quarterdeck.priority of the gate only 200"),
        ):
            with self.subTest(priority=priority), MuxRover(next(DOMAINS)) as rover:
                mux = ros2_program(["-c", MUX, priority], rover.domain)
                try:
                    check = lambda: subprocess.run(rover.command("check"), capture_output=True, text=True).stdout
                    seen = eventually(lambda: "tells no" not in (text := check()) and text, "its parameters are read")
                finally:
                    end(mux)
                self.assertIn(said, seen)
