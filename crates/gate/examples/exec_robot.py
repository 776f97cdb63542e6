#!/usr/bin/env python3
"""A robot for the adapter `exec`: a point that moves in the plane. Replace `drive` and `measure` with your robot's own calls.

With --no-timeout it goes on moving when the gate falls silent, as many robots do. With --inverted it drives the wrong way, as a
robot whose wheels are swapped. With --mute it answers no stop. With --trace FILE it writes where it is. SIGUSR1 is the button on its mast."""
import json, os, select, signal, sys, time

PERIOD_S, SLOWS_MPS2, BASE_TIMEOUT_S = 0.02, 1.0, 1.0
position, velocity, wanted = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
stopped = (0, 0)  # number of the newest stop, and when it came
goal = None  # (number of the move, position, speed)
SIGN = -1.0 if "--inverted" in sys.argv else 1.0
pressed = told = False  # the button on the mast: while it is down, somebody at the robot has control
velocity_ends = heard = time.monotonic()
trace = sys.argv[sys.argv.index("--trace") + 1] if "--trace" in sys.argv else None


def say(**line):
    try:
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # the gate is gone: the base timeout decides


def press(*_):
    global pressed
    pressed = not pressed


def hear(line):
    global goal, wanted, velocity_ends, stopped
    if "stop" in line:
        if line["stop"] != stopped[0]:
            stopped = (line["stop"], time.time_ns())
        goal, wanted = None, [0.0, 0.0]
        if "--mute" not in sys.argv:
            say(ack=line["stop"])
    elif "move" in line:
        move = line["move"]
        kind, motion = next(iter(move["motion"].items()))
        if kind == "velocity":
            goal, wanted = None, [SIGN * part for part in motion["linear_mps"][:2]]
            velocity_ends = time.monotonic() + move["ttl_ms"] / 1000
        elif kind in ("pose_goal", "escape"):
            goal = (move["id"], motion["position_m"][:2], motion["speed_mps"] or 0.2)
        else:
            return say(failed=move["id"])
        say(ack=move["id"])


def drive(now):
    """One step of the motion: towards the wanted velocity, never faster than it can slow down."""
    global goal, wanted
    if now - heard > BASE_TIMEOUT_S and "--no-timeout" not in sys.argv:
        goal, wanted = None, [0.0, 0.0]
    elif goal:
        way = [to - at for to, at in zip(goal[1], position)]
        left = max((way[0] ** 2 + way[1] ** 2) ** 0.5, 1e-9)
        speed = min(goal[2], (2 * 0.8 * SLOWS_MPS2 * left) ** 0.5)
        wanted = [speed * part / left for part in way]
        if left < 0.01:
            say(done=goal[0])
            goal, wanted = None, [0.0, 0.0]
    elif now > velocity_ends and "--no-timeout" not in sys.argv:
        wanted = [0.0, 0.0]
    change = [to - at for to, at in zip(wanted, velocity)]
    part = min(1.0, SLOWS_MPS2 * PERIOD_S / max((change[0] ** 2 + change[1] ** 2) ** 0.5, 1e-9))
    for axis in range(2):
        velocity[axis] += change[axis] * part
        position[axis] += velocity[axis] * PERIOD_S


def measure(now):
    say(pose={"stamp_ms": now * 1000, "frame": "map", "position_m": position + [0.0]})
    say(velocity={"stamp_ms": now * 1000, "linear_mps": velocity + [0.0], "angular_radps": [0.0, 0.0, 0.0]})
    global told
    if pressed != told:
        told = pressed
        say(local=pressed)
    if trace:
        with open(trace + ".new", "w") as file:
            json.dump({"pid": os.getpid(), "position_m": position, "velocity_mps": velocity, "stop": stopped}, file)
        os.replace(trace + ".new", trace)


signal.signal(signal.SIGUSR1, press)
buffer, due, is_open = b"", time.monotonic(), True
while is_open or "--no-timeout" in sys.argv or any(velocity):
    due = max(due + PERIOD_S, time.monotonic())
    while is_open and select.select([0], [], [], max(0.0, due - time.monotonic()))[0]:
        read = os.read(0, 65536)
        is_open = bool(read)  # without its gate it stands, by the base timeout
        *lines, buffer = (buffer + read).split(b"\n")
        for text in lines:
            heard = time.monotonic()
            hear(json.loads(text))
    time.sleep(max(0.0, due - time.monotonic()))
    drive(time.monotonic())
    measure(time.monotonic())
