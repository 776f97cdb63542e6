"""A station with four robots that are not ours behind their gates, to be tried in a browser until it is interrupted."""

import contextlib
import time

from robots import AgvRover, ArmRover, Ros2Rover, Rover
from station import Station

# The domains of the robots of ROS 2, below those that people use.
DOMAIN, ARM_DOMAIN = 83, 39

with contextlib.ExitStack() as stack:
    rovers = [stack.enter_context(rover) for rover in (Ros2Rover(DOMAIN, "--watchdog"), ArmRover(ARM_DOMAIN), Rover("rover-9"), AgvRover())]
    station = stack.enter_context(Station(manifests=[rover.manifest for rover in rovers]))
    for rover in rovers:
        rover.start_uncommissioned_gate(station)
    print(f"\nQuarterdeck runs at {station.url}/#token={station.token}", flush=True)
    print("rover-2 is a robot of ROS 2, ur-1 an arm of ROS 2, rover-9 one that a program speaks for, agv-1 a vehicle of VDA 5050. Commission them on their pages: then they can be moved.", flush=True)
    print("Ctrl-C ends it.", flush=True)
    try:
        while all(rover.gate.poll() is None for rover in rovers):
            time.sleep(1)
    except KeyboardInterrupt:
        pass
