"""A vehicle of VDA 5050 on a plane without obstacles: it drives the released nodes of its order and stops at their end."""

import argparse
import json
import math
import signal
import time
from datetime import datetime, timezone
from pathlib import Path

import paho.mqtt.client as mqtt

STEP_S = 0.02
# Every so many steps a pose, and a whole state.
POSE_STEPS, STATE_STEPS = 3, 10
SPEED_MAX, CHANGE = 0.8, 0.8
REACHED_M = 0.02


class Agv:
    def __init__(self, options):
        self.options, self.root = options, f"uagv/v{options.version.split('.')[0]}/ACME/agv-1"
        self.x = self.y = self.theta = self.speed = 0.0
        self.order, self.update, self.last, self.nodes, self.edges = "", 0, 0, [], []
        self.paused = self.estop = self.cancelling = False
        self.actions, self.errors, self.heads = {}, [], {}
        self.counted = {"orders": [], "actions": []}
        self.inbox = []
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="agv-1")
        self.client.on_connect = self.connected
        self.client.on_message = lambda _client, _data, message: self.inbox.append((message.topic, message.payload))
        self.client.will_set(f"{self.root}/connection", self.connection("CONNECTIONBROKEN"), retain=True)
        self.client.reconnect_delay_set(min_delay=1, max_delay=1)
        self.client.connect("127.0.0.1", options.port)
        self.client.loop_start()

    def connected(self, client, *_rest):
        client.subscribe([(f"{self.root}/order", 0), (f"{self.root}/instantActions", 0)])
        client.publish(f"{self.root}/connection", self.connection("ONLINE"), retain=True)

    def head(self, topic):
        self.heads[topic] = self.heads.get(topic, -1) + 1
        stamp = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        vehicle = {"manufacturer": "ACME", "serialNumber": "agv-1"}
        return {"headerId": self.heads[topic], "timestamp": stamp, "version": self.options.version, **vehicle}

    def connection(self, state):
        return json.dumps({**self.head("connection"), "connectionState": state})

    def publish(self, topic, fields):
        self.client.publish(f"{self.root}/{topic}", json.dumps({**self.head(topic), **fields}))

    def place(self):
        position = {"x": self.x, "y": self.y, "theta": self.theta, "mapId": "hall", "positionInitialized": True}
        return {"agvPosition": position, "velocity": {"vx": self.speed, "vy": 0.0, "omega": 0.0}}

    def tell(self):
        step = lambda kind: lambda one: {f"{kind}Id": one[f"{kind}Id"], "sequenceId": one["sequenceId"], "released": one["released"]}
        self.publish("state", {
            "orderId": self.order, "orderUpdateId": self.update, "lastNodeId": str(self.last), "lastNodeSequenceId": self.last,
            "nodeStates": list(map(step("node"), self.nodes)), "edgeStates": list(map(step("edge"), self.edges)),
            "driving": self.speed > 0.0, "paused": self.paused, "operatingMode": "AUTOMATIC",
            "actionStates": [{"actionId": one, "actionType": kind, "actionStatus": status} for one, (kind, status) in self.actions.items()],
            "batteryState": {"batteryCharge": 80.0, "charging": False}, "errors": self.errors,
            "safetyState": {"eStop": "MANUAL" if self.estop else "NONE", "fieldViolation": False}, **self.place(),
        })

    def complain(self, kind, text, **references):
        parts = [{"referenceKey": key, "referenceValue": value} for key, value in references.items()]
        self.errors = [{"errorType": kind, "errorLevel": "WARNING", "errorDescription": text, "errorReferences": parts}]

    def take(self, topic, payload):
        message = json.loads(payload)
        if topic.endswith("/order"):
            self.take_order(message)
        else:
            self.take_actions(message)

    def take_order(self, message):
        name = message["orderId"]
        self.counted["orders"].append([name, message["orderUpdateId"], sum(node["released"] for node in message["nodes"])])
        is_update = name == self.order and message["orderUpdateId"] > self.update
        if not is_update and self.nodes:
            return self.complain("orderError", "another order is under way", orderId=name)
        first, *rest = message["nodes"]
        if is_update:
            base_end = max([node["sequenceId"] for node in self.nodes if node["released"]], default=self.last)
            if first["sequenceId"] != base_end:
                return self.complain("orderUpdateError", "it does not begin at the end of the base", orderId=name)
            self.nodes = [node for node in self.nodes if node["released"]] + rest
            self.edges = [edge for edge in self.edges if edge["released"]] + message["edges"]
        else:
            self.actions, self.errors = {}, []
            self.last, self.nodes, self.edges = first["sequenceId"], rest, message["edges"]
        self.order, self.update = name, message["orderUpdateId"]

    def take_actions(self, message):
        if self.options.field not in message:
            return self.complain("validationError", f"{self.options.field} is missing", topic="instantActions")
        for action in message[self.options.field]:
            kind, known = action["actionType"], self.actions.get(action["actionId"])
            self.counted["actions"].append(kind)
            if known:
                continue
            status = "FINISHED"
            if kind == "startPause" and self.options.refuse:
                status = "FAILED"
            elif kind in ("startPause", "stopPause"):
                self.paused = kind == "startPause"
            elif kind == "cancelOrder" and self.nodes:
                self.cancelling = True
            elif kind == "cancelOrder":
                status = "FAILED"
            self.actions[action["actionId"]] = (kind, status)

    def step(self):
        while self.inbox:
            self.take(*self.inbox.pop(0))
        released = [node for node in self.nodes if node["released"]]
        stops = self.paused or self.estop or self.cancelling or not released
        limit = min([SPEED_MAX] + [edge.get("maxSpeed", SPEED_MAX) for edge in self.edges[:1]])
        left, at = 0.0, (self.x, self.y)
        for node in released:
            goal = (node["nodePosition"]["x"], node["nodePosition"]["y"])
            left, at = left + math.dist(at, goal), goal
        wanted = 0.0 if stops else min(limit, math.sqrt(2.0 * CHANGE * left))
        self.speed += max(-CHANGE * STEP_S, min(CHANGE * STEP_S, wanted - self.speed))
        if self.cancelling and self.speed <= 0.0:
            self.cancelling, self.nodes, self.edges = False, [], []
        if released:
            self.advance(released[0])

    def advance(self, node):
        goal = (node["nodePosition"]["x"], node["nodePosition"]["y"])
        way = math.dist((self.x, self.y), goal)
        if way > REACHED_M:
            self.theta = math.atan2(goal[1] - self.y, goal[0] - self.x)
        if way <= max(REACHED_M, self.speed * STEP_S):
            self.last = node["sequenceId"]
            self.nodes.pop(0)
            self.edges = [edge for edge in self.edges if edge["sequenceId"] > self.last]
            if not any(node["released"] for node in self.nodes):
                self.speed = 0.0
        self.x += self.speed * STEP_S * math.cos(self.theta)
        self.y += self.speed * STEP_S * math.sin(self.theta)

    def trace(self):
        path = self.options.trace
        if path:
            row = {"x": self.x, "y": self.y, "speed": self.speed, "paused": self.paused, "order": self.order, "nodes": len(self.nodes)}
            whole = path.with_suffix(".part")
            whole.write_text(json.dumps({**row, **self.counted}))
            whole.replace(path)

    def run(self):
        signal.signal(signal.SIGUSR1, lambda *_signal: setattr(self, "estop", not self.estop))
        due, steps = time.monotonic(), 0
        while True:
            self.step()
            if steps % POSE_STEPS == 0:
                self.publish("visualization", self.place())
                self.trace()
            if steps % STATE_STEPS == 0:
                self.tell()
            due, steps = due + STEP_S, steps + 1
            time.sleep(max(0.0, due - time.monotonic()))


parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, default=1883)
parser.add_argument("--trace", type=Path)
parser.add_argument("--version", default="2.0.0")
parser.add_argument("--field", default="actions", help="the name under which it reads instant actions")
parser.add_argument("--refuse", action="store_true", help="it refuses to pause")
Agv(parser.parse_args()).run()
