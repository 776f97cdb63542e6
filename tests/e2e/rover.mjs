// A rover behind quarterdeck-gate whose robot is the example program, and a station that knows it.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { BINARY, startPrepared, until } from "./server.mjs";

const GATE = resolve(dirname(BINARY), "quarterdeck-gate");
const EXAMPLES = resolve(import.meta.dirname, "../../crates/gate/examples");
const ZENOH = '[zenoh]\nlisten = ["tcp/127.0.0.1:0"]\n';
const run = promisify(execFile);

/** Starts both; `end` ends both. */
export async function startRover() {
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-rover-"));
  const [config, manifest, trace] = ["gate.toml", "rover-9.toml", "trace.json"].map((name) => join(folder, name));
  const wire = (station) =>
    writeFile(
      config,
      `robot = "rover-9"\nplacement = "beside"\nstation = { ${station} }\n[exec]\n` +
        `command = ${JSON.stringify(["python3", join(EXAMPLES, "exec_robot.py"), "--trace", trace])}\n` +
        `base_timeout_ms = 1000\nwritten = [${JSON.stringify(trace)}]\n`,
    );
  // It may brake as slowly as a busy machine makes it.
  const text = (await readFile(join(EXAMPLES, "rover-9.toml"), "utf8")).replace("reaction_s = 0.3", "reaction_s = 0.9");
  await writeFile(manifest, text);
  await wire('endpoint = "tcp/127.0.0.1:7447"');
  const { stdout: key } = await run(GATE, ["key", "--config", config]);
  const signed = text.replace(/^public_key = .*$/m, key.trim());
  await writeFile(manifest, signed);
  const server = await startPrepared(ZENOH, async (data) => {
    await mkdir(join(data, "robots"), { recursive: true });
    await writeFile(join(data, "robots", "rover-9.toml"), signed);
  });
  const { zenoh_endpoints, station, public_key } = await server.call("session_info");
  await wire(`endpoint = "${zenoh_endpoints[0]}", id = "${station}", public_key = "${public_key}"`);
  const gate = spawn(GATE, ["run", "--config", config], { stdio: "ignore" });
  await until("a robot that is heard", async () => {
    const { robots } = await server.call("safety_status");
    return /not commissioned/.test(robots.find(({ robot }) => robot === "rover-9")?.arming_problem ?? "");
  });
  await until("the gate's account", async () => (await server.call("get_commissioning", { robot: "rover-9" })).gate);
  return {
    server,
    end: async () => {
      const ended = once(gate, "exit");
      gate.kill("SIGTERM");
      await ended;
      await server.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
