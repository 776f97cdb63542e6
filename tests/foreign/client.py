"""A client of Eclipse Zenoh's Python package that connects to one station and to nothing else."""

import json

import cbor2
import zenoh


def connect(endpoint):
    """An open session to the station that listens at `endpoint`."""
    config = zenoh.Config()
    config.insert_json5("mode", '"client"')
    config.insert_json5("connect/endpoints", json.dumps([endpoint]))
    config.insert_json5("scouting/multicast/enabled", "false")
    return zenoh.open(config)


def put_json(session, key, value):
    """Puts `value` as JSON, and says so."""
    session.put(key, json.dumps(value).encode(), encoding=zenoh.Encoding.APPLICATION_JSON)


def put_cbor(session, key, value):
    """Puts `value` as CBOR, and says so."""
    session.put(key, cbor2.dumps(value), encoding=zenoh.Encoding.APPLICATION_CBOR)
