"""Publishes detections and telemetry into a running station until it is interrupted.

Detections go to lab/door-cam/vision/detections, one of a visitor who walks from zone to zone. Telemetry is this
computer's load, a real value that changes, on lab/host/out/state.
"""

import argparse
import itertools
import os
import time

from client import connect, put_json

DETECTIONS = "lab/door-cam/vision/detections"
TELEMETRY = "lab/host/out/state"
ZONES = ["front_door", "hallway", "kitchen", "hallway"]
# Samples before the visitor goes on to the next zone.
SAMPLES_PER_ZONE = 10


def samples():
    """Detections without end."""
    for zone in itertools.cycle(ZONES):
        for _ in range(SAMPLES_PER_ZONE):
            yield {"label": "visitor", "confidence": 0.91, "zone": zone, "bearing_rad": 0.2}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--endpoint", default="tcp/127.0.0.1:7447", help="where the station's Zenoh session listens")
    options = arguments.parse_args()
    with connect(options.endpoint) as session:
        print(f"publishing on {DETECTIONS} and {TELEMETRY} into {options.endpoint}; Ctrl-C ends it")
        for detection in samples():
            put_json(session, DETECTIONS, detection)
            put_json(session, TELEMETRY, {"load_1min": os.getloadavg()[0]})
            time.sleep(0.5)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
