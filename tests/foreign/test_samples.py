"""Detections and telemetry of a client that is not ours reach the world state with the right value, confidence and age."""

import time
import unittest

from client import connect, put_cbor, put_json
from station import Refused, Station, eventually

DETECTIONS = "lab/door-cam/out/detections"
ENVELOPES = "lab/door-cam/vision/detections"
TELEMETRY = "lab/press-7/out/state"

# Entries count as fresh for this long, seconds.
MAX_AGE_S = 30
# From a put to an answered list, milliseconds, on a machine that has the time.
DELIVERY_MS = 2_000

WRONG_CONFIDENCES = [1.3, -0.1, 1e9, "0.9", None, True, float("nan"), float("inf"), [0.9]]

# What cannot become a part of a key.
NO_KEYS = ["{label}", "two\nlines", "x" * 65, "", "küche", 1.5, None, {"a": 1}]


def envelope(body, ts_ns):
    header = {"ts_ns": ts_ns, "monotonic_seq": 1, "source_instance": "door-cam-a", "schema_uri": "detection/1"}
    return {"header": header, "body": body}


class Samples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.station = cls.enterClassContext(Station())
        cls.session = cls.enterClassContext(connect(cls.station.endpoint()))
        for topic, template, field in [
            (DETECTIONS, "{label}.location", "zone"),
            (ENVELOPES, "{label}.whereabouts", "zone"),
        ]:
            cls.station.call(
                "configure_context",
                topic_pattern=topic,
                world_state_key_template=template,
                value_field=field,
                confidence_field="confidence",
                max_age_secs=MAX_AGE_S,
            )
        cls.station.call(
            "configure_context",
            topic_pattern=TELEMETRY,
            world_state_key_template="press.temperature",
            value_field="temperature",
            unit="degC",
            max_age_secs=MAX_AGE_S,
        )

    def appears(self, put, key, value):
        """Puts until the station has heard it: a subscription reaches a new client a moment after it connected."""

        def look():
            put()
            row = self.station.world(key).get(key)
            return row if row and row["value"] == value else None

        began = time.monotonic()
        row = eventually(look, f"{key} = {value!r}")
        # What the station heard is no older than the first put, however long a busy machine took to list it.
        self.took_ms = (time.monotonic() - began) * 1_000
        return row

    def test_a_json_detection_keeps_value_confidence_and_source(self):
        sample = {"label": "visitor", "confidence": 0.83, "zone": "street"}
        row = self.appears(lambda: put_json(self.session, DETECTIONS, sample), "visitor.location", "street")
        self.assertEqual(row["confidence"], 0.83)
        self.assertEqual(row["source"], DETECTIONS)
        self.assertEqual(row["freshness"], "live")
        self.assertLess(row["age_ms"], max(DELIVERY_MS, self.took_ms))

    def test_the_age_of_a_value_grows(self):
        sample = {"label": "courier", "confidence": 0.7, "zone": "street"}
        first = self.appears(lambda: put_json(self.session, DETECTIONS, sample), "courier.location", "street")

        def older():
            row = self.station.world("courier.")["courier.location"]
            return row if row["age_ms"] > first["age_ms"] + 200 else None

        self.assertEqual(eventually(older, "an age that grows")["value"], "street")

    def test_a_cbor_envelope_of_a_source_behind_is_as_old_as_its_arrival_and_says_so(self):
        body = {"label": "guest", "confidence": 0.91, "zone": "hallway"}
        seen_ms_ago = 3_000

        def put():
            put_cbor(self.session, ENVELOPES, envelope(body, time.time_ns() - seen_ms_ago * 1_000_000))

        row = self.appears(put, "guest.whereabouts", "hallway")
        self.assertEqual(row["confidence"], 0.91)
        # One stamp cannot tell a late sample from a clock that is behind.
        self.assertEqual((row["age_basis"], row["flags"]["untrusted_ts"]), ("received", True))
        self.assertLess(row["age_ms"], max(DELIVERY_MS, self.took_ms))

    def test_telemetry_follows_its_source(self):
        for temperature in (81.5, 82.25):
            sample = {"temperature": temperature, "pressure": 3}
            row = self.appears(lambda: put_json(self.session, TELEMETRY, sample), "press.temperature", temperature)
            self.assertEqual(row["unit"], "degC")
            self.assertIsNone(row["confidence"])

    def test_a_detection_with_a_wrong_confidence_is_no_detection(self):
        for put, topic, wrap, suffix in [
            (put_json, DETECTIONS, lambda body: body, "location"),
            (put_cbor, ENVELOPES, lambda body: envelope(body, time.time_ns()), "whereabouts"),
        ]:
            def put_all(put=put, topic=topic, wrap=wrap):
                for i, confidence in enumerate(WRONG_CONFIDENCES):
                    put(self.session, topic, wrap({"label": f"ghost-{i}", "confidence": confidence, "zone": "street"}))
                put(self.session, topic, wrap({"label": "ghost-without", "zone": "street"}))
                put(self.session, topic, wrap({"label": f"witness-{suffix}", "confidence": 1.0, "zone": "street"}))

            # The witness comes last on the same key: once it is there, the others have been judged.
            self.appears(put_all, f"witness-{suffix}.{suffix}", "street")
            self.assertEqual(self.station.world("ghost"), {})

    def rejects(self):
        """What the context of the detections has rejected so far, by reason."""
        contexts = self.station.call("list_contexts")
        return next(row["rejects"] for row in contexts if row["config"]["topic_pattern"] == DETECTIONS)

    def test_a_label_that_is_no_key_is_counted_and_what_comes_beside_it_is_stored(self):
        before = self.rejects().get("key_rejected", 0)
        rows = [{"label": label, "confidence": 0.9, "zone": "street"} for label in NO_KEYS]
        rows.append({"label": "Delivery Van", "confidence": 0.9, "zone": "street"})
        self.appears(lambda: put_json(self.session, DETECTIONS, rows), "delivery_van.location", "street")
        self.assertGreaterEqual(self.rejects()["key_rejected"] - before, len(NO_KEYS))

    def test_labels_beyond_the_cap_push_out_the_oldest_and_raise_one_alarm(self):
        topic, cap = "lab/door-cam/out/tracks", 100
        self.station.call(
            "configure_context",
            topic_pattern=topic,
            world_state_key_template="{label}.track",
            value_field="zone",
            max_keys=cap,
        )
        rows = [{"label": f"track-{i}", "confidence": 0.9, "zone": "street"} for i in range(2 * cap)]
        self.appears(lambda: put_json(self.session, topic, rows), f"track-{2 * cap - 1}.track", "street")
        tracks = [key for key in self.station.world("track-") if key.endswith(".track")]
        self.assertEqual(len(tracks), cap)
        raised = lambda: [row for row in self.station.call("list_alarms") if row["source"] == "too_many_keys"]
        # It is raised behind the sample that made it.
        self.assertEqual([row["count"] for row in eventually(raised, "the alarm")], [1])

    def test_a_context_that_cannot_work_is_refused(self):
        for field, value, code in [
            ("topic_pattern", "**", "bad_key_expression"),
            ("world_state_key_template", "{label", "bad_template"),
            ("filter", "confidence >", "bad_predicate"),
        ]:
            draft = {"topic_pattern": DETECTIONS, "world_state_key_template": "{label}.x", "value_field": "zone"}
            with self.subTest(field), self.assertRaises(Refused) as refused:
                self.station.call("configure_context", **{**draft, field: value})
            self.assertEqual(refused.exception.code, code)
