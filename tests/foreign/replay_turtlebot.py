"""Plays a recorded run of a TurtleBot into a running station, as the robot `turtlebot-4`.

The station knows the robot by its manifest: copy turtlebot-4.toml into <data-dir>/robots/ before it starts.
"""

import argparse
import time

from client import connect, put_json
from recording import moments

STATE = "lab/turtlebot-4/out/state"


def replay(session, speed, stopped=lambda: False):
    """Puts pose and velocity at their recorded times, `speed` times as fast, until the end or until `stopped`."""
    began = time.monotonic()
    for moment in moments():
        if stopped():
            return
        time.sleep(max(0.0, began + moment.at_s / speed - time.monotonic()))
        put_json(session, f"{STATE}/pose", moment.pose)
        put_json(session, f"{STATE}/velocity", moment.velocity)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--endpoint", default="tcp/127.0.0.1:7447", help="where the station's Zenoh session listens")
    arguments.add_argument("--speed", type=float, default=1.0, help="times as fast as it was")
    options = arguments.parse_args()
    with connect(options.endpoint) as session:
        print(f"replaying turtlebot-4 into {options.endpoint}; Ctrl-C ends it")
        replay(session, options.speed)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
