"""The arm z1 of `robosuite-models` in the physics of MuJoCo, as a robot of ROS 2 behind a trajectory controller.

`mujoco_arm.py TRACE`: the controller is the arm server of the examples. What that tells on /joint_states are the references of
this arm's servos; what the physics makes of them is measured on /z1/joint_states and /z1/tool. Each step is a record in TRACE.
"""

import importlib.util
import struct
import sys
import time
from pathlib import Path

import mujoco
import numpy as np
import rclpy
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import JointState

# The controller's names of the joints of the model, which are called joint1 to joint6.
JOINTS = ("shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint")
# Where the model stands when its encoders say 0: in the middle of what each joint can do, with nothing in the way.
HOME = np.array((0.0, 1.5, -1.5, 0.0, 0.0, 0.0))
# Servos of each joint: stiffness and damping around the reference, beside the torque that bears the arm's weight.
STIFFNESS_NM, DAMPING_NMS = 400.0, 40.0
# Steps of the node; the physics has its own, smaller ones.
PERIOD_S, TOLD_EVERY = 0.005, 4
# A reference that is older is where the joint stays.
REFERENCE_S = 0.03
# Time that the physics catches up at once; what a busy machine takes beyond that the arm has not lived through.
CAUGHT_UP_S = 0.05

# Time of the machine's monotonic clock, time lost, and of the model: positions and speeds of the joints, place of the tool.
RECORD = struct.Struct("2d6d6d3d")


def model():
    """The model as it was published. The package itself needs robosuite, and is not imported."""
    [folder] = importlib.util.find_spec("robosuite_models").submodule_search_locations
    return mujoco.MjModel.from_xml_path(str(Path(folder) / "assets/robots/z1/robot.xml"))


class Arm(Node):
    """Servos, physics and measurements."""

    def __init__(self, trace):
        super().__init__("z1")
        self.model, self.trace = model(), trace
        self.data = mujoco.MjData(self.model)
        self.data.qpos[:] = HOME
        mujoco.mj_forward(self.model, self.data)
        self.goal, self.pace, self.told = np.zeros(6), np.zeros(6), 0.0
        self.at, self.lost, self.steps = time.monotonic(), 0.0, 0
        self.joints = self.create_publisher(JointState, "z1/joint_states", 8)
        self.tool = self.create_publisher(Odometry, "z1/tool", 8)
        self.create_subscription(JointState, "joint_states", self.refer, 8)
        self.create_timer(PERIOD_S, self.step)

    def refer(self, state):
        """Takes in what the controller wants."""
        places = [state.name.index(joint) for joint in JOINTS]
        self.goal, self.pace = np.array(state.position)[places], np.array(state.velocity)[places]
        self.told = time.monotonic()

    def step(self):
        """Lets the arm live until now."""
        behind = time.monotonic() - self.at
        if behind > CAUGHT_UP_S:
            self.lost += behind - CAUGHT_UP_S
            self.at += behind - CAUGHT_UP_S
        while self.at < time.monotonic() - self.model.opt.timestep:
            self.at += self.model.opt.timestep
            self.servo(self.at - self.told)
            mujoco.mj_step(self.model, self.data)
            self.record()
        self.trace.flush()
        self.steps += 1
        if self.steps % TOLD_EVERY == 0:
            self.tell()

    def servo(self, age):
        """The torque of each motor; the model bounds it."""
        pace = self.pace if age < REFERENCE_S else np.zeros(6)
        reference = HOME + self.goal + self.pace * min(max(age, 0.0), REFERENCE_S)
        off, slip = reference - self.data.qpos, pace - self.data.qvel
        self.data.ctrl[:] = STIFFNESS_NM * off + DAMPING_NMS * slip + self.data.qfrc_bias

    def record(self):
        tool = self.data.body("right_hand").xpos
        self.trace.write(RECORD.pack(self.at, self.lost, *(self.data.qpos - HOME), *self.data.qvel, *tool))

    def tell(self):
        state, pose, hand = JointState(), Odometry(), self.data.body("right_hand")
        state.header.stamp = pose.header.stamp = self.get_clock().now().to_msg()
        state.name, state.position, state.velocity = list(JOINTS), list(self.data.qpos - HOME), list(self.data.qvel)
        pose.header.frame_id, pose.child_frame_id = "base_link", "tool0"
        place, turn = pose.pose.pose.position, pose.pose.pose.orientation
        place.x, place.y, place.z = map(float, hand.xpos)
        turn.w, turn.x, turn.y, turn.z = map(float, hand.xquat)
        self.joints.publish(state)
        self.tool.publish(pose)


rclpy.init()
with open(sys.argv[1], "wb") as trace:
    rclpy.spin(Arm(trace))
