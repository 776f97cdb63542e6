"""A quarterdeck-server on a data directory of its own, and calls of its operations over HTTP."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

# A station answers within this on a machine whose processors have twenty times their work.
DEADLINE_S = 60.0
# A motion that has not begun by then was refused.
RESEND_S = 5.0
# How often a condition is looked at again.
LOOK_AGAIN_S = 0.05

# A port of the system's choice, so that tests disturb nobody.
ZENOH_CONFIG = """{
  mode: "peer",
  listen: { endpoints: ["tcp/127.0.0.1:0"] },
  scouting: { multicast: { enabled: false }, gossip: { enabled: false } },
}"""

# An unoptimised build judges slower than one that robots are run with, and a busy machine sends later what was approved.
SETTINGS = "[safety]\njudge_deadline_us = 5000\napproved_ms = 1000\n"


class Refused(Exception):
    """The station answered with an error."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status = status
        self.code = body.get("code")


class Station:
    """Use as a context manager: the server ends with the block."""

    def __init__(self, manifests=()):
        self.manifests = manifests

    def __enter__(self):
        self.data_dir = Path(tempfile.mkdtemp(prefix="quarterdeck-foreign-"))
        (self.data_dir / "robots").mkdir()
        for manifest in self.manifests:
            shutil.copy(manifest, self.data_dir / "robots")
        config = self.data_dir / "config.toml"
        config.touch(mode=0o600)
        config.write_text(SETTINGS)
        zenoh_config = self.data_dir / "zenoh.json5"
        zenoh_config.write_text(ZENOH_CONFIG)
        argv = [os.environ["QUARTERDECK_SERVER"], "--data-dir", str(self.data_dir), "--listen", "127.0.0.1:0"]
        self.argv = [*argv, "--zenoh-config", str(zenoh_config)]
        self.start()
        return self

    def __exit__(self, *_failure):
        self.stop()
        shutil.rmtree(self.data_dir)

    def start(self):
        self.process = subprocess.Popen(self.argv, stdout=subprocess.PIPE, text=True)
        address = json.loads(self.process.stdout.readline())
        self.url, self.token = address["url"].rstrip("/"), address["token"]

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=DEADLINE_S)
        self.process.stdout.close()

    def restart(self, meanwhile=lambda: None):
        """Ends the server, lets `meanwhile` change its files, and starts it again."""
        self.stop()
        meanwhile()
        self.start()

    def call(self, operation, **fields):
        """The output of an operation; `Refused` if the station says no."""
        request = urllib.request.Request(
            f"{self.url}/op/{operation}",
            data=json.dumps(fields).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(error.code, json.load(error)) from None

    def endpoint(self):
        """Where the station's own Zenoh session listens."""
        return self.call("session_info")["zenoh_endpoints"][0]

    def world(self, prefix):
        """The entries of the world state whose key begins with `prefix`, by key."""
        return {row["key"]: row for row in self.call("list_world_state", prefix=prefix)}


def eventually(look, what):
    """The first truthy answer of `look`; an AssertionError with `what`, words or what gives them, if there is none before the
    deadline."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        if answer := look():
            return answer
        time.sleep(LOOK_AGAIN_S)
    raise AssertionError(f"not within {DEADLINE_S:.0f} s: {what() if callable(what) else what}")


def sent_until(send, moves, what):
    """Sends a motion, and again every few seconds, until `moves` gives something true: a gate on a busy computer refuses one
    that takes too long to begin."""
    sent = [float("-inf")]

    def look():
        if time.monotonic() - sent[0] > RESEND_S:
            send()
            sent[0] = time.monotonic()
        return moves()

    return eventually(look, what)
