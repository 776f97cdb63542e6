"""The camera and the map of a robot of ROS 2 (rclpy, Fast DDS), handed on by its gate."""

import subprocess
import unittest

from robots import NavRover, Ros2Rover
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

    def test_u_406_a_station_sees_what_a_detector_finds_in_the_camera(self):
        class Watched(NavRover):
            def wiring(self):
                return super().wiring() + '\ndetections = { front = "detections" }\n'

        with Watched(next(DOMAINS)) as rover:
            text = rover.manifest.read_text()
            detections = 'detections = { key = "lab/rover-2/out/detections/front", encoding = "detection2d_array" }'
            rover.manifest.write_text(text.replace('id = "front"', f'id = "front"\n{detections}'))
            with Station(manifests=[rover.manifest]) as station:
                rover.start_gate(station)

                def found():
                    frame = station.call("camera_frame", robot="rover-2", camera="front", after_mono_ms=2**50)
                    return frame["detections"]["objects"]

                person, chair = eventually(found, "what the detector finds")
                self.assertEqual(
                    person, {"label": "person", "confidence": 0.75, "min_px": [12.0, 4.0], "max_px": [20.0, 44.0]}
                )
                self.assertEqual((chair["label"], chair["confidence"]), ("chair", 0.5))

    def test_u_406_a_wiring_whose_detections_the_manifest_lacks_is_refused_by_name(self):
        class Unseen(Ros2Rover):
            def wiring(self):
                return super().wiring() + '\ndetections = { front = "detections" }\n'

        with Unseen(next(DOMAINS)) as rover:
            check = subprocess.run([*rover.command("check"), "--offline"], capture_output=True, text=True)
            self.assertNotEqual(check.returncode, 0)
            self.assertIn('encoding = "detection2d_array"', check.stdout + check.stderr)

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
