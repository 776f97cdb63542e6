"""A robot of ROS 2 that is driven to goals by an action server, behind its gate: driven, stopped and watched by a station."""

import contextlib
import json
import subprocess
import unittest

from robots import NavRover, end, ros2_program
from station import Refused, Station, eventually, sent_until

# Each test has its domain, below those of other tests and of people.
DOMAINS = iter(range(62, 83))

# A goal of somebody else, as the state of the action server shows it.
FOREIGN = """
import rclpy
from action_msgs.msg import GoalStatus, GoalStatusArray
from rclpy.qos import DurabilityPolicy, QoSProfile
rclpy.init()
node = rclpy.create_node("patrol")
latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
states = node.create_publisher(GoalStatusArray, "navigate_to_pose/_action/status", latched)
goal = GoalStatus(status=GoalStatus.STATUS_EXECUTING)
goal.goal_info.goal_id.uuid = list(range(16))
node.create_timer(0.1, lambda: states.publish(GoalStatusArray(status_list=[goal])))
rclpy.spin(node)
"""


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


def goes(station, x_m, speed_mps=0.4):
    """The verdict of a goal; the words of a refusal."""
    motion = {"pose_goal": {"position_m": [x_m, 0.0, 0.0], "speed_mps": speed_mps}}
    try:
        answer = station.call("send_command", robot="rover-2", actuator="base", frame="odom", motion=motion)
        return "allow" if answer["verdict"]["overall"] == "allow" else json.dumps(answer["verdict"])
    except Refused as refused:
        return str(refused)


def takes(station, x_m, speed_mps=0.4):
    """Sends a goal until it is admitted: on a busy computer a sample of the rover may be late, and motion is denied then."""
    eventually(lambda: goes(station, x_m, speed_mps) == "allow", "the goal is admitted")


@contextlib.contextmanager
def armed(*flags, drives=False):
    """A station, and the rover behind its gate, which was armed."""
    with NavRover(next(DOMAINS), *flags, drives=drives) as rover, Station(manifests=[rover.manifest]) as station:
        rover.start_gate(station)
        eventually(lambda: robot(station)["link"] == "live" and robot(station)["pose"], "a pose of rover-2")
        eventually(lambda: status(station)["arming_problem"] is None, "rover-2 may be armed")
        eventually(lambda: arms(station), "rover-2 is armed")
        yield station, rover


class Ros2Goals(unittest.TestCase):
    def drive(self, station, rover, x_m=9.0):
        """Drives until the robot itself says that it moves."""
        moves = lambda: (trace := rover.trace()) and trace["speed"] > 0.2 and trace
        return sent_until(lambda: takes(station, x_m), moves, lambda: f"it moves: {rover.told()}")

    def test_rg_27_a_robot_is_driven_to_a_goal_at_its_speed_and_the_goal_is_done(self):
        with armed() as (station, rover):
            takes(station, 1.0, 0.3)
            rover.until(lambda trace: trace["x"] > 0.85 and trace["speed"] == 0.0, "it is there")
            there = rover.until_told(lambda told: told["status"] == 4 and told["results"] == 1, "the goal has ended")
            self.assertEqual((there["goals"], there["cancels"], there["limit"]), (1, 0, 0.3))
            eventually(lambda: abs(robot(station)["pose"]["position_m"][0] - 1.0) < 0.15, "the station sees it there")
            self.assertIn("keeps_moving", self.velocity(station))

    def velocity(self, station):
        try:
            motion = {"velocity": {"linear_mps": [0.1, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0]}}
            return json.dumps(station.call("send_command", robot="rover-2", actuator="base", frame="odom", motion=motion)["verdict"])
        except Refused as refused:
            return str(refused)

    def test_rg_10_rg_27_stop_all_in_motion_cancels_every_goal_and_nothing_follows(self):
        with armed() as (station, rover):
            self.drive(station, rover)
            station.call("stop_all")
            stands = rover.until(lambda trace: trace["speed"] == 0.0, "it stands")
            told = rover.until_told(lambda told: told["status"] == 5 and told["cancels"] > 1, "every goal was cancelled, again and again")
            row = eventually(lambda: self.stopped(station), "standstill was measured")
            self.assertFalse(row["not_confirmed"])
            rover.until(lambda trace: trace["stops"] > 0, "its service was called too")
            self.assertNotEqual(goes(station, 9.0), "allow")
            self.assertEqual((rover.told()["goals"], rover.trace()["x"]), (told["goals"], stands["x"]))

    def stopped(self, station):
        row = station.call("safety_status")["stops"][0]["robots"][0]
        return row if row["acked_after_ms"] is not None and row["standstill"] else None

    def test_rg_27_after_a_hold_the_next_goal_is_driven_to(self):
        with armed() as (station, rover):
            self.drive(station, rover)
            station.call("hold_robot", robot="rover-2")
            rover.until(lambda trace: trace["speed"] == 0.0, "it stands")
            rover.until_told(lambda told: told["status"] == 5, "the goal was cancelled")
            # Refused if it has ended by itself.
            with contextlib.suppress(Refused):
                station.call("acknowledge_cause", robot="rover-2", cause="hold_requested", reason="looked")
            eventually(lambda: goes(station, 9.0) == "allow", "the next goal is admitted")
            rover.until(lambda trace: trace["speed"] > 0.2, "it moves again")

    def test_rg_27_a_goal_that_is_taken_only_after_the_stop_is_cancelled_then(self):
        with armed("late") as (station, rover):
            # So slow that it does not go far before a busy machine has cancelled it.
            takes(station, 9.0, 0.05)
            rover.until_told(lambda told: told["goals"] == 1, "it was asked")
            station.call("stop_all")
            told = rover.until_told(lambda told: told["status"] == 5, "it was taken, and cancelled")
            self.assertGreater(told["ends"], 0)
            self.assertLess(rover.trace()["x"], 0.2, "it has hardly moved")

    def test_rg_27_a_goal_that_the_robot_refuses_or_gives_up_is_failed(self):
        for flags, state in (("reject",), None), (("abort",), 6):
            with self.subTest(flags=flags), armed(*flags) as (station, rover):
                takes(station, 5.0)
                eventually(lambda: "by_robot" in json.dumps(station.call("list_audit")), "it has failed")
                self.assertEqual(rover.told()["status"], state)
                self.assertNotIn("robot_gate_fault", str(status(station)["causes"]))

    def test_rg_12_rg_27_a_server_that_refuses_to_cancel_raises_the_fault(self):
        with armed("keep") as (station, rover):
            self.drive(station, rover)
            station.call("stop_all")
            eventually(lambda: "robot_gate_fault" in str(status(station)["causes"]), "the refusal is a fault")
            rover.until(lambda trace: trace["stops"] > 0, "its stop service was called all the same")

    def test_rg_14_rg_27_a_goal_of_somebody_else_is_named_motion_refused_and_a_stop_still_sent(self):
        with armed() as (station, rover):
            patrol = ros2_program(["-c", FOREIGN], rover.domain)
            try:
                eventually(lambda: "arbitration" in goes(station, 9.0), "motion is refused")
                before = rover.told()
                station.call("stop_all")
                rover.until_told(lambda told: told["cancels"] > (before or {"cancels": 0})["cancels"], "every goal is cancelled all the same")
            finally:
                end(patrol)

    def test_rg_10_rg_27_a_server_that_is_killed_in_motion_is_a_fault_and_the_robot_is_held(self):
        with armed() as (station, rover):
            self.drive(station, rover)
            end(rover.server)
            eventually(lambda: "robot_gate_fault" in str(status(station)["causes"]), "the lost server is a fault")
            rover.until(lambda trace: trace["speed"] == 0.0, "its base has stopped by itself")
            before = rover.trace()["x"]
            rover.start_server()
            self.assertNotEqual(goes(station, 9.0), "allow")
            self.assertEqual(rover.trace()["x"], before)

    def test_rg_15_rg_27_zeros_of_the_gate_win_over_the_controller_that_does_not_cancel(self):
        with armed("keep", drives=True) as (station, rover):
            self.drive(station, rover)
            station.call("stop_all")
            rover.until(lambda trace: trace["speed"] == 0.0, "it stands by the zeros, whatever its controller wants")

    def test_rg_30_rg_27_a_robot_that_takes_goals_only_is_commissioned_standing(self):
        for drives, needed in (False, ["each_stop", "hardware_stop"]), (True, ["axis_x", "axis_y", "axis_turn", "stop_from_speed", "silence", "each_stop", "hardware_stop"]):
            with self.subTest(drives=drives), NavRover(next(DOMAINS), drives=drives) as rover, Station(manifests=[rover.manifest]) as station:
                rover.start_uncommissioned_gate(station)
                account = eventually(lambda: (gate := station.call("get_commissioning", robot="rover-2")["gate"]) and gate["commissioning"], "the gate says what it needs")
                self.assertEqual(account["needed"], needed)

    def test_rg_03_rg_27_check_names_a_missing_action_server_and_says_what_hold_and_stop_mean(self):
        with NavRover(next(DOMAINS)) as rover:
            rover.until(lambda trace: "x" in trace, "the robot runs")
            rover.until_told(lambda told: "goals" in told, "its server runs")
            check = lambda: subprocess.run(rover.command("check"), capture_output=True, text=True).stdout
            seen = check()
            self.assertIn("/navigate_to_pose: an action server takes goals and cancels them", seen)
            self.assertIn("/speed_limit: somebody listens for the speed of a goal", seen)
            self.assertIn("hold: every goal of the action cancelled", seen)
            self.assertIn("Nothing is wrong.", seen)
            end(rover.server)
            # Fast DDS and this library forget a killed participant when its lease has ended.
            self.assertIn("no action server /navigate_to_pose (bad_ros2)", eventually(lambda: "no action server" in (text := check()) and text, "it is gone"))
