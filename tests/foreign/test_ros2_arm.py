"""An arm of ROS 2 under a trajectory controller, behind its gate: moved, stopped and watched by a station."""

import contextlib
import json
import os
import subprocess
import unittest

from robots import ArmRover, begun, commissioning, end, hold_step, ros2_program
from station import Refused, Station, eventually, sent_until

# Each test has its domain, below those of other tests and of people.
DOMAINS = iter(range(20, 39))

JOINTS = ("shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint")

# A goal of somebody else, as the state of the controller shows it.
FOREIGN = """
import rclpy
from action_msgs.msg import GoalStatus, GoalStatusArray
from rclpy.qos import DurabilityPolicy, QoSProfile
rclpy.init()
node = rclpy.create_node("move_group")
latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
states = node.create_publisher(GoalStatusArray, "scaled_joint_trajectory_controller/follow_joint_trajectory/_action/status", latched)
goal = GoalStatus(status=GoalStatus.STATUS_EXECUTING)
goal.goal_info.goal_id.uuid = list(range(16))
node.create_timer(0.1, lambda: states.publish(GoalStatusArray(status_list=[goal])))
rclpy.spin(node)
"""


def robot(station):
    return next(row for row in station.call("list_robots") if row["id"] == "ur-1")


def status(station):
    return next(row for row in station.call("safety_status")["robots"] if row["robot"] == "ur-1")


def arms(station):
    try:
        return station.call("arm_robot", robot="ur-1")
    except Refused:
        return None


def turns(station, pan_rad, speed_radps=0.06, names=JOINTS):
    """`allow`, or the codes of everything that denies a goal of the first joint; the words of a refusal."""
    positions = [pan_rad, *[0.0] * (len(names) - 1)]
    motion = {"joints": {"names": list(names), "positions_rad": positions, "speed_radps": speed_radps}}
    try:
        answer = station.call("send_command", robot="ur-1", actuator="arm", motion=motion)
        denies = [item["reason"]["code"] for item in answer["verdict"]["items"] if item["verdict"] != "allow"]
        return "allow" if answer["verdict"]["overall"] == "allow" else json.dumps(denies)
    except Refused as refused:
        return str(refused)


def takes(station, pan_rad, speed_radps=0.06):
    """Sends a goal until it is admitted: on a busy computer a sample of the arm may be late, and motion is denied then."""
    eventually(lambda: turns(station, pan_rad, speed_radps) == "allow", "the goal is admitted")


@contextlib.contextmanager
def armed(*flags):
    """A station, and the arm behind its gate, which was armed."""
    with ArmRover(next(DOMAINS), *flags) as arm, Station(manifests=[arm.manifest]) as station:
        arm.start_gate(station)
        eventually(lambda: robot(station)["link"] == "live" and robot(station)["pose"], "a pose of ur-1")
        eventually(lambda: status(station)["arming_problem"] is None, lambda: f"ur-1 may be armed: {status(station)}")
        eventually(lambda: arms(station), "ur-1 is armed")
        yield station, arm


class Ros2Arm(unittest.TestCase):
    def move(self, station, arm, pan_rad=0.4):
        """Moves until the arm itself says that it moves."""
        moves = lambda: (told := arm.told()) and told["speed"] > 0.02 and told
        return sent_until(lambda: takes(station, pan_rad), moves, lambda: f"it moves: {arm.told()}")

    def still(self, arm, told):
        return told["speed"] == 0.0 and arm.told()["pan"] == told["pan"]

    def test_rg_28_an_arm_moves_to_a_joint_goal_no_faster_than_commanded_and_the_goal_is_done(self):
        with armed() as (station, arm):
            takes(station, 0.1)
            there = arm.until_told(lambda told: told["status"] == 4 and told["results"] == 1, "the goal has ended")
            self.assertEqual((there["goals"], there["cancels"]), (1, 0))
            speeds = [told["speed"] for told in arm.all_told()]
            self.assertTrue(0.04 < max(speeds) <= 0.06, f"{max(speeds)} rad/s")
            eventually(lambda: abs(robot(station)["pose"]["position_m"][1] - 0.03) < 0.005, "the station sees its tool there")
            eventually(lambda: "done" in json.dumps(station.call("list_audit")), "the command is done")
            takes(station, 0.0)
            arm.until_told(lambda told: told["goals"] == 2 and told["status"] == 4, "it has come back")

    def test_rg_28_joints_in_another_order_one_more_and_one_less_are_refused(self):
        with armed() as (station, arm):
            swapped = (JOINTS[1], JOINTS[0], *JOINTS[2:])
            for names in (swapped, JOINTS[:5], (*JOINTS, "rail_joint")):
                self.assertNotEqual(turns(station, 0.1, names=names), "allow")
            self.assertEqual(arm.told()["goals"], 0)

    def test_rg_10_rg_15_rg_28_stop_all_in_motion_cancels_every_goal_and_says_stop_and_nothing_follows(self):
        with armed() as (station, arm):
            self.move(station, arm)
            station.call("stop_all")
            stands = arm.until_told(lambda told: told["speed"] == 0.0, "it stands")
            arm.until_told(lambda told: told["cancels"] > 1 and told["events"] > 1 and told["stops"] > 0, "it was stopped in every way")
            row = eventually(lambda: self.stopped(station), "standstill was measured")
            self.assertFalse(row["not_confirmed"])
            self.assertNotEqual(turns(station, 0.4), "allow")
            self.assertEqual((arm.told()["goals"], arm.told()["pan"]), (1, stands["pan"]))
            self.assertLess(stands["pan"], 0.3, "it was under way for a moment")

    def stopped(self, station):
        row = station.call("safety_status")["stops"][0]["robots"][0]
        return row if row["acked_after_ms"] is not None and row["standstill"] else None

    def test_rg_15_rg_28_a_hold_cancels_alone_and_the_next_goal_is_moved_to(self):
        with armed() as (station, arm):
            self.move(station, arm)
            station.call("hold_robot", robot="ur-1")
            arm.until_told(lambda told: told["status"] == 5 and told["speed"] == 0.0, "the goal was cancelled, and it stands")
            self.assertEqual((arm.told()["events"], arm.told()["stops"]), (0, 0))
            with contextlib.suppress(Refused):
                station.call("acknowledge_cause", robot="ur-1", cause="hold_requested", reason="looked")
            # The gate may refuse what the station has admitted, where a sample is late; a goal under way keeps others away.
            eventually(lambda: arm.told()["goals"] > 1 or turns(station, 0.2) is None, "the next goal has begun")
            arm.until_told(lambda told: told["goals"] > 1 and told["status"] == 4, "it is there")

    def test_rg_28_a_goal_that_is_taken_only_after_the_stop_is_cancelled_then(self):
        with armed("late") as (station, arm):
            # So slow that it does not go far before a busy machine has cancelled it.
            takes(station, 0.4, 0.02)
            arm.until_told(lambda told: told["goals"] == 1, "it was asked")
            station.call("stop_all")
            told = arm.until_told(lambda told: told["status"] in (5, 6), "it was taken, and ended")
            self.assertGreater(told["ends"], 0)
            self.assertLess(told["pan"], 0.02, "it has hardly moved")

    def test_rg_28_a_goal_that_is_refused_given_up_or_ends_with_an_error_is_failed(self):
        for flags, state in (("reject",), None), (("abort",), 6), (("wrong",), 4):
            with self.subTest(flags=flags), armed(*flags) as (station, arm):
                takes(station, 0.05)
                eventually(lambda: "by_robot" in json.dumps(station.call("list_audit")), "it has failed")
                self.assertEqual(arm.told()["status"], state)
                self.assertNotIn("robot_gate_fault", str(status(station)["causes"]))

    def test_rg_12_rg_28_a_controller_that_refuses_to_cancel_raises_the_fault(self):
        with armed("keep") as (station, arm):
            self.move(station, arm)
            station.call("stop_all")
            eventually(lambda: "robot_gate_fault" in str(status(station)["causes"]), "the refusal is a fault")
            arm.until_told(lambda told: told["stops"] > 0 and told["events"] > 0, "it was stopped in every other way all the same")

    def test_rg_14_rg_28_a_goal_of_somebody_else_is_named_motion_refused_and_a_stop_still_sent(self):
        with armed() as (station, arm):
            other = ros2_program(["-c", FOREIGN], arm.domain)
            try:
                eventually(lambda: "arbitration" in turns(station, 0.2), "motion is refused")
                before = arm.told()["cancels"]
                station.call("stop_all")
                arm.until_told(lambda told: told["cancels"] > before, "every goal is cancelled all the same")
            finally:
                end(other)

    def test_rg_10_rg_28_a_controller_that_is_killed_in_motion_is_a_fault_and_nothing_follows(self):
        with armed() as (station, arm):
            self.move(station, arm)
            end(arm.server)
            eventually(lambda: "robot_gate_fault" in str(status(station)["causes"]), "the lost controller is a fault")
            arm.start_server()
            arm.until_told(lambda told: told["goals"] == 0, "it runs again")
            self.assertNotEqual(turns(station, 0.4), "allow")
            self.assertEqual(arm.told()["pan"], 0.0)

    def test_rg_28_an_arm_that_measures_no_speeds_is_not_armed_and_one_that_is_not_ready_takes_no_goal(self):
        with ArmRover(next(DOMAINS), "still") as arm, Station(manifests=[arm.manifest]) as station:
            arm.start_gate(station)
            eventually(lambda: robot(station)["link"] == "live" and robot(station)["pose"], "a pose of ur-1")
            self.assertIsNone(arms(station), "nobody knows if it stands")
        with armed("idle") as (station, arm):
            turns(station, 0.1)
            eventually(lambda: "not_armed" in json.dumps(station.call("list_audit")), "it takes no goals")
            self.assertEqual(arm.told()["goals"], 0)

    def test_rg_31_rg_28_an_arm_is_commissioned_joint_by_joint_and_by_each_means_of_stopping_and_moved_then(self):
        with ArmRover(next(DOMAINS)) as arm, Station(manifests=[arm.manifest]) as station:
            arm.start_uncommissioned_gate(station)
            account = eventually(lambda: commissioning(station, "ur-1"), "the gate says what it needs")
            self.assertEqual((account["needed"], account["not_possible"]), (["joints", "each_stop", "hardware_stop"], []))
            eventually(lambda: robot(station)["link"] == "live" and robot(station)["pose"], "a pose of ur-1")
            with self.assertRaisesRegex(Refused, "not_commissioned"):
                station.call("arm_robot", robot="ur-1")
            eventually(lambda: begun(station, "ur-1"), "it is armed for its steps")
            joints = hold_step(station, "ur-1", "joints")
            self.assertEqual((joints["outcome"], [one["joint"] for one in joints["joints"]]), ("passed", list(JOINTS)), joints)
            self.assertEqual(arm.told()["goals"], len(JOINTS))
            stops = hold_step(station, "ur-1", "each_stop")
            self.assertEqual(stops["outcome"], "passed", stops)
            controller = "/scaled_joint_trajectory_controller/follow_joint_trajectory"
            self.assertEqual(
                [(one["means"], one["outcome"]) for one in stops["means"]],
                [
                    ({"goals": controller}, "stopped"),
                    ({"cancel": "/move_action"}, "answered"),
                    ({"cancel": "/execute_trajectory"}, "answered"),
                    ({"service": "/dashboard_client/stop"}, "stopped"),
                ],
            )
            self.assertEqual(arm.told()["events"], 0, "the word on the stop event was not among them")
            station.call("run_commissioning_step", robot="ur-1", step="hardware_stop")
            station.call("let_go_commissioning_step", robot="ur-1")
            eventually(lambda: commissioning(station, "ur-1")["missing"] is None, "it is commissioned")
            station.call("disarm_robot", robot="ur-1")
            eventually(lambda: arms(station), "ur-1 is armed for work")
            eventually(lambda: turns(station, 0.1) == "allow", "it takes a goal")
            arm.until_told(lambda told: told["status"] == 4, "it is there")

    def test_rg_03_rg_28_check_says_what_hold_and_stop_mean_and_names_the_order_of_joints_and_a_missing_controller(self):
        with ArmRover(next(DOMAINS)) as arm:
            arm.until_told(lambda told: "goals" in told, "its controller runs")
            check = lambda: subprocess.run(arm.command("check"), capture_output=True, text=True).stdout
            seen = check()
            for said in (
                "follow_joint_trajectory: an action server takes goals and cancels them",
                "/trajectory_execution_event: somebody listens",
                "robot_program_running: somebody tells",
                "the speed of every joint is measured",
                "in another order than the manifest's",
                "hold: every goal of the trajectory controller cancelled",
                "Nothing is wrong.",
            ):
                self.assertIn(said, seen)
            end(arm.server)
            # This library forgets a killed participant when its lease has ended.
            self.assertIn("no action server /scaled_joint", eventually(lambda: "no action server" in (text := check()) and text, "it is gone"))

    def test_rg_40_an_arm_is_found_with_its_action_and_its_joints_and_what_nobody_tells_is_open(self):
        with ArmRover(next(DOMAINS)) as arm:
            arm.until_told(lambda told: "goals" in told, "its controller runs")
            scan = [os.environ["QUARTERDECK_GATE"], "scan", "--domain", str(arm.domain), "--seconds", "8"]

            def proposed():
                finds = json.loads(subprocess.run(scan, check=True, capture_output=True, text=True).stdout)["finds"]
                return {row["field"]: row for row in finds[0]["fields"]} if finds else {}

            fields = eventually(lambda: "joint_limits" in (seen := proposed()) and seen, "its joints are heard")
            action = "/scaled_joint_trajectory_controller/follow_joint_trajectory"
            self.assertEqual((fields["trajectory"]["value"], fields["trajectory"]["is_guess"]), (action, False))
            self.assertEqual(fields["joints"]["value"], "/joint_states")
            joints = fields["joint_limits"]
            self.assertIn("elbow_joint rad ? ? ? ? ?", joints["value"])
            self.assertTrue(joints["is_guess"])
            self.assertNotIn("speed", fields)
