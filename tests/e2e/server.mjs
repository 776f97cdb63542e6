// A headless server with simulated robots on a data directory of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { until } from "./until.mjs";

export { until };

export const BINARY = process.env.QUARTERDECK_SERVER ?? "target/debug/quarterdeck-server";
/** The disk of the machine may be nearly full, which is an alarm: it is none of the tests' business. */
const LOW_DISK = "[storage]\nlow_mib = 64\n";
/**
 * An unoptimised build judges slower than one that robots are run with, and on a busy machine its simulated robots answer
 * late, what was approved is sent late, and the window says late that it is alive: the station then stops the robots or
 * takes the control away, as it should, in the middle of a test about something else. Each is the most that a site may set.
 */
const SLOW_BUILD = `[safety]
judge_deadline_us = 5000
beat_late_ms = 1000
beat_lost_ms = 3000
approved_ms = 1000
screen_frozen_ms = 5000
presence_ms = 10000
`;
/** A port of the system's choice, so that tests disturb nobody, unless the network is what a test is about. */
const ANY_PORT = '[zenoh]\nlisten = ["tcp/127.0.0.1:0"]\n';
/** The server promises to end within 5 s of SIGTERM. */
const END_MS = 6_000;
/** A debug build on a busy machine. */
const START_MS = 60_000;

/** Starts a server; `call` asks it like any HTTP client, `end` ends it. */
export function startServer(...flags) {
  return startConfigured("", ...flags);
}

/** The same with a `config.toml`. */
export function startConfigured(config, ...flags) {
  return startPrepared(config, async () => {}, ...flags);
}

/** The same with what `prepare` puts into the data directory before. */
export async function startPrepared(config, prepare, ...flags) {
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-e2e-"));
  const network = config.includes("[zenoh]") ? "" : ANY_PORT;
  await writeFile(join(folder, "config.toml"), `${config}\n${network}${LOW_DISK}${SLOW_BUILD}`, { mode: 0o600 });
  await prepare(folder);
  const child = spawn(BINARY, ["--data-dir", folder, "--listen", "127.0.0.1:0", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, "line", { signal: AbortSignal.timeout(START_MS) }).then(([text]) => text),
    once(child, "error").then(([error]) => Promise.reject(error)),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`the server ended with ${code}:\n${log}`))),
  ]);
  const { url, token } = JSON.parse(line);

  const call = async (name, input = {}) => {
    const response = await fetch(`${url}/op/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    const body = await response.json();
    if (!response.ok) throw new Error(`${name}: ${JSON.stringify(body)}`);
    return body;
  };

  const end = async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
    await ended;
    clearTimeout(late);
    // The simulator, a process of its own, may write for a moment longer than its station.
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };

  return { url, token, call, end, child, folder };
}

/** Waits for the four simulated robots to answer. */
export async function robotsLive(server) {
  await until("four live robots", async () => {
    const robots = await server.call("list_robots");
    return robots.length === 4 && robots.every(({ link }) => link === "live");
  });
}
