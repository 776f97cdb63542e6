"""Stop drills of a robot of ROS 2 (rclpy, Fast DDS): one that answers all of its stop, and one whose action server is gone."""

import unittest

from robots import Ros2Rover
from station import Refused, Station, eventually

# Each test has its domain, below those that people use.
DOMAINS = iter(range(40, 42))


def is_seen(station):
    row = next(row for row in station.call("list_robots") if row["id"] == "rover-2")
    return row["link"] == "live" and row["pose"]


def drilled(station):
    """The drill; nothing while the robot is not measured to stand, or was not let go after the drill before."""
    try:
        return station.call("run_stop_drill", robot="rover-2")
    except Refused:
        return None


class Ros2Drill(unittest.TestCase):
    def drill(self, *flags, missing):
        with Ros2Rover(next(DOMAINS), *flags) as rover, Station(manifests=[rover.manifest]) as station:
            rover.start_uncommissioned_gate(station)
            eventually(lambda: is_seen(station), "a pose of rover-2")
            # Services find each other in their own time.
            run = eventually(lambda: (run := drilled(station)) and run["unanswered"] == missing and run, f"{missing} do not answer")
            self.assertIsNotNone(run["drill"]["standstill_after_ms"])
            return run["drill"]["acked_after_ms"]

    def test_rg_33_rg_60_a_drill_counts_once_every_service_that_a_stop_calls_has_answered(self):
        self.assertIsNotNone(self.drill(missing=[]))

    def test_rg_33_rg_60_a_drill_without_the_action_that_a_stop_cancels_names_it_and_was_no_test(self):
        self.assertIsNone(self.drill("--mux", missing=["/navigate_to_pose"]))
