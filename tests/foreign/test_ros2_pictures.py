"""The camera and the map of a robot of ROS 2 (rclpy, Fast DDS), handed on by its gate."""

import subprocess
import unittest

from robots import Ros2Rover
from station import Station, eventually

# Each test has its domain, below those that people use.
DOMAINS = iter(range(76, 80))


class Pictures(unittest.TestCase):
    def test_u_406_u_1102_a_station_sees_the_camera_and_the_map_that_was_sent_before_it_came(self):
        with Ros2Rover(next(DOMAINS)) as rover, Station(manifests=[rover.manifest]) as station:
            rover.until(lambda trace: trace, "the robot runs and has sent its map")
            rover.start_gate(station)

            def shown():
                # The facts alone, as if the caller had every picture.
                frame = station.call("camera_frame", robot="rover-2", camera="front", after_mono_ms=2**50)
                return frame if frame["width_px"] else None

            frame = eventually(shown, "a picture of rover-2")
            self.assertEqual((frame["width_px"], frame["height_px"], frame["fault"]), (64, 48, None))

            def mapped():
                (row,) = station.call("list_robot_maps")
                return row if row["grid"] else None

            row = eventually(mapped, "the map of rover-2")
            self.assertEqual((row["grid"]["frame"], row["grid"]["width_cells"], row["grid"]["height_cells"]), ("odom", 120, 80))
            self.assertEqual(row["grid"]["origin_m"], [-6.0, -4.0])
            self.assertTrue(row["png_base64"])

    def test_u_406_a_wiring_whose_camera_the_manifest_lacks_is_refused_by_name(self):
        class Astray(Ros2Rover):
            def wiring(self):
                return super().wiring().replace("front =", "back =")

        with Astray(next(DOMAINS)) as rover:
            check = subprocess.run([*rover.command("check"), "--offline"], capture_output=True, text=True)
            self.assertNotEqual(check.returncode, 0)
            self.assertIn("no camera back", check.stdout + check.stderr)


if __name__ == "__main__":
    unittest.main()
