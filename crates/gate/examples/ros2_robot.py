#!/usr/bin/env python3
"""A robot of ROS 2 for the adapter `ros2`: a differential base. It publishes /odom at 50 Hz, obeys /cmd_vel, serves
/stop_motion, and has the cancel service of an action, as every action server has one. It sends a map of its room once on
/map, and pictures of its speed on /image_raw.

It has no watchdog: without commands it goes on moving, as many robots do, unless --watchdog ends a command after half a second. --refuse makes /stop_motion refuse, --namespace NAME
puts it into one, --plain makes it listen for Twist in place of TwistStamped, --mux makes /cmd_vel_quarterdeck win over /cmd_vel for half a
second and leaves the action to others, --trace FILE makes it write where it is."""
import argparse, json, math, os, time

import rclpy
from action_msgs.srv import CancelGoal
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import OccupancyGrid, Odometry
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import Image
from std_srvs.srv import Trigger

PERIOD_S, SLOWS_MPS2, WATCHDOG_S, MUX_S = 0.02, 1.0, 0.5, 0.5
PICTURE_S, WIDTH, HEIGHT = 0.2, 64, 48
ROOM, CELL_M = (120, 80), 0.1
arguments = argparse.ArgumentParser()
for flag in ("--refuse", "--plain", "--watchdog", "--mux"):
    arguments.add_argument(flag, action="store_true")
for name in ("--namespace", "--trace"):
    arguments.add_argument(name, default="")
options = arguments.parse_args()


class Robot(Node):
    def __init__(self):
        super().__init__("base_driver", namespace=options.namespace)
        self.x = self.y = self.heading = self.speed = self.wanted = self.turn = 0.0
        self.commands = self.stops = self.cancels = self.zeroed = self.heard = self.first = 0
        self.odometry = self.create_publisher(Odometry, "odom", 10)
        self.create_subscription(Twist if options.plain else TwistStamped, "cmd_vel", self.hear, 10)
        self.create_service(Trigger, "stop_motion", self.stop)
        if options.mux:
            self.create_subscription(TwistStamped, "cmd_vel_quarterdeck", self.hear_first, 10)
        else:
            self.create_service(CancelGoal, "navigate_to_pose/_action/cancel_goal", self.cancel)
        self.create_timer(PERIOD_S, self.step)
        self.pictures = self.create_publisher(Image, "image_raw", 1)
        self.create_timer(PICTURE_S, self.film)
        self.maps = self.create_publisher(OccupancyGrid, "map", QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        self.maps.publish(self.room())

    def hear_first(self, message):
        self.first = time.monotonic()
        self.obey(message)

    def hear(self, message):
        if time.monotonic() - self.first > MUX_S:
            self.obey(message)

    def obey(self, message):
        twist = message if options.plain else message.twist
        self.commands, self.heard = self.commands + 1, time.monotonic()
        self.wanted, self.turn = twist.linear.x, twist.angular.z
        if twist == Twist() and self.speed:
            self.zeroed = self.zeroed or time.time_ns()
        elif self.wanted:
            self.zeroed = 0

    def stop(self, _request, response):
        self.stops += 1
        if not options.refuse:
            self.wanted = self.turn = 0.0
        response.success, response.message = not options.refuse, "refused" if options.refuse else "stopped"
        return response

    def cancel(self, request, response):
        goal = request.goal_info
        self.cancels += not any(goal.goal_id.uuid) and goal.stamp.sec == goal.stamp.nanosec == 0  # every goal
        response.return_code = CancelGoal.Response.ERROR_NONE
        return response

    def room(self):
        """A room with four walls and a pillar, about the odometry's origin."""
        (width, height), room = ROOM, OccupancyGrid()
        room.header.stamp, room.header.frame_id = self.get_clock().now().to_msg(), "odom"
        room.info.resolution, room.info.width, room.info.height = CELL_M, width, height
        room.info.origin.position.x, room.info.origin.position.y = -width * CELL_M / 2, -height * CELL_M / 2
        room.info.origin.orientation.w = 1.0
        walls = lambda column, row: column in (0, width - 1) or row in (0, height - 1) or (90 <= column < 94 and 50 <= row < 54)
        room.data = [100 * walls(column, row) for row in range(height) for column in range(width)]
        return room

    def film(self):
        picture = Image(height=HEIGHT, width=WIDTH, encoding="mono8", step=WIDTH)
        picture.header.stamp, picture.header.frame_id = self.get_clock().now().to_msg(), "camera"
        bar = int(min(1.0, abs(self.speed)) * (WIDTH - 1))
        picture.data = bytes(220 if column <= bar else 40 for column in range(WIDTH)) * HEIGHT
        self.pictures.publish(picture)

    def step(self):
        if options.watchdog and time.monotonic() - self.heard > WATCHDOG_S:
            self.wanted = self.turn = 0.0
        most = SLOWS_MPS2 * PERIOD_S
        self.speed += max(-most, min(most, self.wanted - self.speed))
        self.heading += self.turn * PERIOD_S
        self.x += self.speed * math.cos(self.heading) * PERIOD_S
        self.y += self.speed * math.sin(self.heading) * PERIOD_S
        odometry = Odometry()
        odometry.header.stamp, odometry.header.frame_id = self.get_clock().now().to_msg(), "odom"
        odometry.child_frame_id = "base_link"
        odometry.pose.pose.position.x, odometry.pose.pose.position.y = self.x, self.y
        odometry.pose.pose.orientation.z = math.sin(self.heading / 2)
        odometry.pose.pose.orientation.w = math.cos(self.heading / 2)
        odometry.twist.twist.linear.x, odometry.twist.twist.angular.z = self.speed, self.turn
        self.odometry.publish(odometry)
        if options.trace:
            keys = ("x", "y", "speed", "commands", "stops", "cancels", "zeroed")
            with open(options.trace + ".new", "w") as file:
                json.dump({key: getattr(self, key) for key in keys}, file)
            os.replace(options.trace + ".new", options.trace)


rclpy.init()
robot = Robot()
try:
    rclpy.spin(robot)
except (KeyboardInterrupt, ExternalShutdownException):
    pass
