"""Messages of a recorded ROS 2 robot, put as its Zenoh middleware names and puts them, are read field by field."""

import json
import struct
import threading
import time
import unittest

from client import connect
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from recording import recording
from station import Station, eventually

# Between two messages of a topic, seconds.
PERIOD_S = 0.05

# Hashes of the definitions in ROS 2 Kilted, as its own packages give them.
HASHES = {
    "nav_msgs/msg/Odometry": "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0",
    "tf2_msgs/msg/TFMessage": "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
    "geometry_msgs/msg/PoseWithCovarianceStamped": "26432f9803e43727d3c8f668d1fdb3c630f548af631e2f4e31382371bfea3b6e",
}


def key(topic, message, hash):
    """The key expression of `rmw_zenoh` in domain 0."""
    package, kind, name = message.split("/")
    return f"0{topic}/{package}::{kind}::dds_::{name}_/{hash}"


def attachment(number):
    """What `rmw_zenoh` attaches: a counter, a time in nanoseconds, and the 16 bytes that name the sender."""
    return struct.pack("<qq", number, time.time_ns()) + bytes([16]) + bytes(range(16))


def plain(message):
    """A decoded message as maps, lists and numbers."""
    if hasattr(message, "__slots__"):
        return {name: plain(getattr(message, name)) for name in message.__slots__}
    return [plain(element) for element in message] if isinstance(message, (list, tuple)) else message


def newest():
    """The last message of each topic of the recording: its type, its bytes, and its fields as `mcap_ros2` reads them."""
    found = {}
    with recording().open("rb") as file:
        for schema, channel, message, ros in make_reader(
            file, decoder_factories=[DecoderFactory()]
        ).iter_decoded_messages():
            found[channel.topic] = (schema.name, message.data, plain(ros))
    return found


class Ros2(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.station = cls.enterClassContext(Station())
        cls.session = cls.enterClassContext(connect(cls.station.endpoint()))
        cls.newest = newest()

    def heard(self, key_expr, payload):
        """The row of a topic, which is put as long as the station listens."""
        heard = threading.Event()

        def put():
            while not heard.wait(PERIOD_S):
                self.session.put(key_expr, payload, attachment=attachment(1))

        player = threading.Thread(target=put)
        player.start()
        try:
            look = lambda: self.station.call("watch_topic", key_expr=key_expr, wait_secs=0.5)
            return eventually(look, key_expr)[0]
        finally:
            heard.set()
            player.join()

    def test_rg_61_every_topic_of_a_recorded_robot_has_the_fields_that_another_reader_finds(self):
        self.assertEqual(set(self.newest), {"/odom", "/tf", "/tf_static", "/amcl_pose"})
        compared = set()
        for topic, (message, payload, expected) in self.newest.items():
            row = self.heard(key(topic, message, f"RIHS01_{HASHES[message]}"), payload)
            self.assertEqual((row["form"], row["looks_like"]), ("ros2", None))
            # The text of a long message is cut for the screen.
            if not row["cut"]:
                self.assertEqual(json.loads(row["last"]), expected)
                compared.add(topic)
        self.assertGreaterEqual(compared, {"/odom", "/amcl_pose", "/tf"})

    def test_fw_13_a_field_of_a_message_becomes_an_entry_of_the_world(self):
        message, payload, expected = self.newest["/odom"]
        key_expr = key("/odom", message, f"RIHS01_{HASHES[message]}")
        self.station.call(
            "configure_context",
            topic_pattern=key_expr,
            world_state_key_template="turtlebot.x",
            value_field="pose.pose.position.x",
            unit="m",
            max_age_secs=30,
        )

        def look():
            self.session.put(key_expr, payload, attachment=attachment(2))
            return self.station.world("turtlebot.").get("turtlebot.x")

        row = eventually(look, "turtlebot.x")
        self.assertEqual(row["value"], expected["pose"]["pose"]["position"]["x"])

    def test_rg_22_a_message_of_another_definition_is_named_and_not_read(self):
        message, payload, _ = self.newest["/odom"]
        row = self.heard(key("/odom", message, f"RIHS01_{'0' * 64}"), payload)
        self.assertEqual((row["form"], row["fields"]), ("hex", []))
        self.assertEqual(
            row["looks_like"],
            "nav_msgs/msg/Odometry of ROS 2, in another definition than the one known here",
        )
