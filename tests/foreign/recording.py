"""The recorded run of a real mobile robot: its odometry, placed in the map by the robot's own localisation."""

import hashlib
import os
import tarfile
from dataclasses import dataclass
from pathlib import Path

from mcap_ros2.reader import read_ros2_messages

MEMBER = "evo-1.38.1/test/data/nav2_turtlebot.mcap"
SHA256 = "56b182e06492094a21798c9bbc31ff4c60f5e4de44f72dea76e324c432f449c6"


@dataclass
class Moment:
    """Where the robot was and how it moved, `at_s` seconds after the recording began."""

    at_s: float
    pose: dict
    velocity: dict


def recording():
    """The path of the recording, unpacked and checked."""
    folder = Path(os.environ["QUARTERDECK_RECORDINGS"])
    path = folder / "nav2_turtlebot.mcap"
    if not path.exists():
        with tarfile.open(next(folder.glob("evo-*.tar.gz"))) as package:
            path.write_bytes(package.extractfile(MEMBER).read())
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256:
        raise ValueError(f"{path} is not the recording: sha256 {found}, expected {SHA256}")
    return path


def moments():
    """Every odometry message from the first for which the robot knew where its odometry lies in the map."""
    map_from_odom = None
    began_ns = None
    for message in read_ros2_messages(recording()):
        began_ns = began_ns or message.log_time_ns
        ros = message.ros_msg
        if message.channel.topic == "/tf":
            for found in ros.transforms:
                if (found.header.frame_id, found.child_frame_id) == ("map", "odom"):
                    map_from_odom = (xyz(found.transform.translation), xyzw(found.transform.rotation))
        elif message.channel.topic == "/odom" and map_from_odom:
            position, orientation = compose(map_from_odom, (xyz(ros.pose.pose.position), xyzw(ros.pose.pose.orientation)))
            twist = ros.twist.twist
            yield Moment(
                at_s=(message.log_time_ns - began_ns) / 1e9,
                pose={"frame": "map", "position_m": position, "orientation": orientation},
                velocity={"linear_mps": xyz(twist.linear), "angular_radps": xyz(twist.angular)},
            )


def xyz(vector):
    return [vector.x, vector.y, vector.z]


def xyzw(quaternion):
    return [quaternion.x, quaternion.y, quaternion.z, quaternion.w]


def compose(outer, inner):
    """The pose `inner`, given in the frame that lies at `outer`, in the frame in which `outer` is given."""
    (translation, rotation), (position, orientation) = outer, inner
    rotated = multiply(multiply(rotation, [*position, 0.0]), conjugate(rotation))[:3]
    return [a + b for a, b in zip(translation, rotated, strict=True)], multiply(rotation, orientation)


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def multiply(a, b):
    """Hamilton's product of two quaternions, x y z w."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
