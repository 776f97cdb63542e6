// A server in a session of its own, whose keychain is open, locked or not there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

const BINARY = process.env.QUARTERDECK_SERVER ?? "target/debug/quarterdeck-server";
/** A debug build on a busy machine. */
const START_MS = 60_000;
/** The server promises to end within 5 s of SIGTERM. */
const END_MS = 10_000;
/** A free port; the keychain is where keys are kept if nobody says otherwise. */
const SETTINGS = '[zenoh]\nlisten = ["tcp/127.0.0.1:0"]\n';
/** What opens the keyring of the tests. */
const PASSWORD = "correct horse";

/** What runs before the server in its session. The daemon ends with the session's bus. */
const KEYCHAINS = {
  unlocked: `printf '%s' '${PASSWORD}' | gnome-keyring-daemon --unlock --components=secrets >/dev/null`,
  locked: "gnome-keyring-daemon --start --components=secrets >/dev/null",
  absent: "export DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent",
};

/** Starts a server below `folder`, which keeps its files and its keyring from one start to the next. */
export async function startServer(folder, keychain) {
  const data = join(folder, "data");
  await mkdir(data, { recursive: true });
  await writeFile(join(data, "config.toml"), SETTINGS, { flag: "wx" }).catch((error) => {
    // What an earlier start has written into it stays.
    if (error.code !== "EEXIST") throw error;
  });
  const script = `${KEYCHAINS[keychain]}\nexec "$0" "$@"`;
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: join(folder, "share"), XDG_RUNTIME_DIR: folder, XDG_CACHE_HOME: folder };
  delete env.DISPLAY;
  delete env.WAYLAND_DISPLAY;
  const flags = ["--data-dir", data, "--listen", "127.0.0.1:0"];
  const child = spawn("dbus-run-session", ["--", "bash", "-c", script, BINARY, ...flags], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), "line", { signal: AbortSignal.timeout(START_MS) }).then(([text]) => text),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`the server ended with ${code}:\n${output}`))),
  ]);
  const { url, token } = JSON.parse(line);

  /** Status and body of an operation. */
  const call = async (name, input = {}) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${url}/op/${name}`, { method: "POST", headers, body: JSON.stringify(input) });
    return { status: response.status, body: await response.json() };
  };

  const end = async () => {
    // The bus ends before the server; the output closes when the last of the session has ended.
    const ended = once(child, "close");
    // The whole session: server, daemon and bus.
    process.kill(-child.pid, "SIGTERM");
    const late = setTimeout(() => process.kill(-child.pid, "SIGKILL"), END_MS);
    await ended;
    clearTimeout(late);
  };

  return { data, call, end, output: () => output };
}

/** The files below `folder` that hold `text`. */
export async function holding(folder, text) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const held = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])));
  return held.flat();
}
