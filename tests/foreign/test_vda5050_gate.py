"""A vehicle of VDA 5050 behind its gate and a real broker: seen, driven and stopped by a station."""

import contextlib
import json
import subprocess
import unittest

import paho.mqtt.client as mqtt

from robots import AgvRover
from station import DEADLINE_S, Refused, Station, eventually, sent_until


def robot(station):
    return next(row for row in station.call("list_robots") if row["id"] == "agv-1")


def status(station):
    rows = station.call("safety_status")["robots"]
    return next(row for row in rows if row["robot"] == "agv-1")


def arms(station):
    try:
        return station.call("arm_robot", robot="agv-1")
    except Refused:
        return None


def command(station, motion):
    """The verdict of a command; the words of a refusal."""
    try:
        answer = station.call("send_command", robot="agv-1", actuator="base", frame="hall", motion=motion)
        return "allow" if answer["verdict"]["overall"] == "allow" else json.dumps(answer["verdict"])
    except Refused as refused:
        return str(refused)


def goes(station, x_m):
    return command(station, {"pose_goal": {"position_m": [x_m, 0.0, 0.0], "speed_mps": 0.5}})


def takes(station, x_m):
    """Sends a goal until it is admitted: on a busy computer a sample of the vehicle may be late, and motion is denied then."""
    eventually(lambda: goes(station, x_m) == "allow", "the goal is admitted")


@contextlib.contextmanager
def armed(*flags):
    """A station, and the vehicle behind its gate, which was armed."""
    with AgvRover(*flags) as agv, Station(manifests=[agv.manifest]) as station:
        agv.start_gate(station)
        eventually(lambda: robot(station)["link"] == "live" and robot(station)["pose"], "a pose of agv-1")
        eventually(lambda: status(station)["arming_problem"] is None, "agv-1 may be armed")
        eventually(lambda: arms(station), "agv-1 is armed")
        yield station, agv


class Vda5050Gate(unittest.TestCase):
    def drive(self, station, agv, x_m=20.0):
        """Drives until the vehicle itself says that it moves."""
        moves = lambda: (trace := agv.trace()) and trace["speed"] > 0.3 and trace
        return sent_until(lambda: takes(station, x_m), moves, "it moves")

    def test_rg_51_a_vehicle_is_driven_to_a_goal_by_one_order_that_is_released_edge_by_edge(self):
        for flags in ((), ("--version", "1.1.0", "--field", "instantActions")):
            with self.subTest(flags=flags), armed(*flags) as (station, agv):
                takes(station, 3.0)
                there = agv.until(lambda trace: trace["x"] > 2.9 and trace["speed"] == 0.0 and trace["nodes"] == 0, "it is there")
                self.assertEqual(len({name for name, _, _ in there["orders"]}), 1, "one order")
                self.assertEqual([update for _, update, _ in there["orders"]], list(range(len(there["orders"]))))
                self.assertLessEqual(max(released for _, _, released in there["orders"]), 3, "two edges from where it was")
                eventually(lambda: abs(robot(station)["pose"]["position_m"][0] - 3.0) < 0.1, "the station sees it there")
                self.assertIn("keeps_moving", command(station, {"velocity": {"linear_mps": [0.1, 0.0, 0.0], "angular_radps": [0.0, 0.0, 0.0]}}))

    def test_rg_51_stop_all_pauses_it_and_cancels_its_order(self):
        with armed() as (station, agv):
            self.drive(station, agv)
            station.call("stop_all")
            agv.until(lambda trace: trace["speed"] == 0.0 and trace["paused"] and trace["nodes"] == 0, "it stands, without an order")
            row = eventually(lambda: self.stopped(station), "standstill was measured")
            self.assertFalse(row["not_confirmed"])
            self.assertNotEqual(goes(station, 20.0), "allow")

    def stopped(self, station):
        row = station.call("safety_status")["stops"][0]["robots"][0]
        return row if row["acked_after_ms"] is not None and row["standstill"] else None

    def test_rg_51_a_hold_pauses_it_and_keeps_its_order(self):
        with armed() as (station, agv):
            self.drive(station, agv)
            station.call("hold_robot", robot="agv-1")
            held = agv.until(lambda trace: trace["speed"] == 0.0 and trace["paused"], "it stands")
            self.assertGreater(held["nodes"], 0, "its order is kept")
            self.assertNotIn("cancelOrder", held["actions"])

    def test_rg_14_rg_51_an_order_of_another_master_is_named_and_motion_refused(self):
        with armed() as (station, agv):
            node = lambda n, x: {"nodeId": f"n{n}", "sequenceId": n, "released": True, "nodePosition": {"x": x, "y": 0.0, "mapId": "hall"}, "actions": []}
            edge = {"edgeId": "e", "sequenceId": 1, "released": True, "startNodeId": "n0", "endNodeId": "n2", "actions": []}
            order = {"orderId": "wms-7", "orderUpdateId": 0, "nodes": [node(0, 0.0), node(2, 30.0)], "edges": [edge]}
            other = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
            other.connect("127.0.0.1", agv.broker.port)
            other.publish("uagv/v2/ACME/agv-1/order", json.dumps(order))
            other.loop_start()
            agv.until(lambda trace: trace["order"] == "wms-7" and trace["speed"] > 0.3, "it drives for another")
            eventually(lambda: "arbitration" in goes(station, 5.0), "motion is refused")
            station.call("stop_all")
            agv.until(lambda trace: trace["speed"] == 0.0 and trace["nodes"] == 0, "the stop still comes")
            other.loop_stop()

    def test_rg_12_rg_51_a_vehicle_that_refuses_to_pause_raises_the_fault_and_is_stopped_by_its_cancelled_order(self):
        for flags in (("--refuse",), ("--field", "unheardOf")):
            with self.subTest(flags=flags), armed(*flags) as (station, agv):
                self.drive(station, agv)
                station.call("stop_all")
                eventually(lambda: "robot_gate_fault" in str(status(station)["causes"]), "the refusal is a fault")
                if "--refuse" in flags:
                    agv.until(lambda trace: trace["speed"] == 0.0 and trace["nodes"] == 0, "its order was cancelled")

    def test_rg_10_rg_51_a_broker_that_dies_in_motion_is_a_fault_and_the_vehicle_drives_no_further_than_was_released(self):
        with armed() as (station, agv):
            before = self.drive(station, agv)
            agv.broker.process.kill()
            agv.broker.process.wait(timeout=DEADLINE_S)
            eventually(lambda: "robot_gate_fault" in str(status(station)["causes"]), "the lost connection is a fault")
            stands = agv.until(lambda trace: trace["speed"] == 0.0, "it stands at the end of what was released")
            self.assertLess(stands["x"], before["x"] + 4.0, "and not at its goal")
            agv.broker.start()
            agv.until(lambda trace: trace["paused"], "the stop is sent as soon as there is a broker again")
            self.assertEqual(len(agv.trace()["orders"]), len(stands["orders"]), "and nothing that moves it")

    def test_rg_11_rg_51_a_gate_that_is_killed_has_left_a_pause_with_the_broker(self):
        with armed() as (station, agv):
            self.drive(station, agv)
            agv.signal_gate("SIGKILL")
            agv.until(lambda trace: trace["speed"] == 0.0 and trace["paused"], "the broker has paused it")
            eventually(lambda: robot(station)["link"] == "lost", "the gate is gone")

    def test_rg_30_rg_51_a_vehicle_is_commissioned_by_its_hardware_stop_alone(self):
        with AgvRover() as agv, Station(manifests=[agv.manifest]) as station:
            agv.start_uncommissioned_gate(station)
            account = eventually(lambda: self.commissioning(station), "the gate says what it needs")
            self.assertEqual(account["needed"], ["hardware_stop"])
            eventually(lambda: robot(station)["link"] == "live" and robot(station)["pose"], "a pose of agv-1")
            eventually(lambda: self.begun(station), "it is armed for its step")
            pressed = []

            def over():
                with contextlib.suppress(Refused):
                    station.call("run_commissioning_step", robot="agv-1", step="hardware_stop")
                if not pressed:
                    pressed.append(agv.robot.send_signal(10))
                return self.commissioning(station)["missing"] is None

            eventually(over, "the pressed stop was seen")
            self.assertEqual(self.commissioning(station)["base_timeout"], "not_measured")

    def commissioning(self, station):
        gate = station.call("get_commissioning", robot="agv-1")["gate"]
        return gate and gate["commissioning"]

    def begun(self, station):
        try:
            return station.call("begin_commissioning", robot="agv-1", at_hardware_stop=True)
        except Refused:
            return None

    def test_rg_03_rg_51_check_says_what_it_sees_of_broker_and_vehicle(self):
        with AgvRover() as agv:
            agv.until(lambda trace: "x" in trace, "the vehicle runs")
            check = lambda: subprocess.run(agv.command("check"), capture_output=True, text=True).stdout
            # It runs before its broker has heard of it.
            eventually(lambda: "the vehicle is online and speaks VDA 5050 2.0.0" in check(), "it is online")
            agv.robot.kill()
            eventually(lambda: "the vehicle ACME/agv-1 is not online" in check() or "no vehicle ACME/agv-1" in check(), "it is gone")
            agv.broker.process.kill()
            eventually(lambda: "does not answer (bad_vda5050)" in check(), "the broker is gone")

    def test_rg_51_a_broker_is_reached_over_tls_with_a_password_and_not_without_its_certificate(self):
        with AgvRover() as agv:
            agv.until(lambda trace: "x" in trace, "the vehicle runs")
            wiring, broker = agv.folder / "gate.toml", agv.broker
            (agv.folder / "password").write_text("open sesame\n")
            plain, user = f"mqtt://127.0.0.1:{broker.port}", 'user = "gate"\npassword_file = "password"\n'
            secret = wiring.read_text().replace(plain, f"mqtts://127.0.0.1:{broker.tls_port}") + user

            def check(text):
                wiring.write_text(text)
                return subprocess.run(agv.command("check"), capture_output=True, text=True).stdout

            vouched = f'{secret}ca = "{broker.folder}/ca.pem"\n'
            eventually(lambda: "the vehicle is online" in check(vouched), "it is online")
            self.assertIn("does not answer", check(secret), "nobody vouches for its certificate")
            (agv.folder / "password").write_text("open\n")
            self.assertIn("does not answer", check(vouched))
