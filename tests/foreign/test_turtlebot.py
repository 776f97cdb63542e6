"""A real robot's recorded run appears as a robot with a moving pose, and cannot be commanded."""

import math
import threading
import unittest
from pathlib import Path

from client import connect
from recording import moments
from replay_turtlebot import replay
from station import Station, eventually

MANIFEST = Path(__file__).with_name("turtlebot-4.toml")
# The recording begins at a standstill; faster than it was, but still within the pose's age limit.
SPEED = 4.0
# How far it must be seen to move, metres.
MOVED_M = 1.0


class Turtlebot(unittest.TestCase):
    def test_a_recorded_robot_is_seen_where_it_was(self):
        path = [moment.pose["position_m"] for moment in moments()]
        done = threading.Event()
        with Station(manifests=[MANIFEST]) as station, connect(station.endpoint()) as session:
            player = threading.Thread(target=replay, args=(session, SPEED, done.is_set))
            player.start()
            try:
                first = eventually(lambda: self.current(station), "a pose of turtlebot-4")
                moved = eventually(lambda: self.moved_from(station, first), f"{MOVED_M} m of motion")
                robot = self.robot(station)
            finally:
                done.set()
                player.join()
        self.assertFalse(robot["simulated"])
        self.assertEqual(robot["errors"], [])
        for pose in (first, moved):
            self.assertEqual(pose["frame"], "map")
            self.assertLess(min(math.dist(pose["position_m"], point) for point in path), 1e-6)

    def robot(self, station):
        return next(row for row in station.call("list_robots") if row["id"] == "turtlebot-4")

    def current(self, station):
        """Its pose, once it is not a moment old: a busy machine may list one late."""
        pose = self.robot(station)["pose"]
        return pose if pose and pose["age_ms"] < 1_000 else None

    def moved_from(self, station, first):
        pose = self.current(station)
        far = pose and math.dist(pose["position_m"], first["position_m"]) > MOVED_M
        return pose if far else None
