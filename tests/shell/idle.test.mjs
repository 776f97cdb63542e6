// What the real window costs while nothing happens, beside an empty window of the same engine and size in the same run.
// The short form is in the suite; QUARTERDECK_IDLE_S=600 measures as long as the budget asks for (PERF-21).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as pass } from "node:timers/promises";
import { startApp } from "./window.mjs";

/** How long both are measured, s. */
const MEASURED_S = Number(process.env.QUARTERDECK_IDLE_S ?? 20);
/** The first answers, the first drawing and the compiling of scripts are no rest. */
const SETTLE_S = Number(process.env.QUARTERDECK_IDLE_SETTLE_S ?? 20);
/** The engine's own browser, which comes with it. */
const EMPTY = process.env.MINI_BROWSER ?? "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
/** As large as the app's window. */
const SIZE = "1400x900";
/** Hundredths of a core above an empty window: the budget is 5 for an optimised build. Drawing is the same in every build, so what
 * draws is bound here; the host of a debug build is several times slower than the one that people run, and is only told. */
const DRAWING_MAX = 15;
/** Kernel clock ticks a second, fixed on Linux. */
const TICKS_PER_S = 100;

/** Every process: its parent, its name, and its processor time in seconds. */
async function processes() {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = async (id) => {
    const text = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
    const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
    if (rest === undefined) return [];
    const fields = rest.split(" ");
    return [{ id: Number(id), parent: Number(fields[1]), name, used_s: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S }];
  };
  return (await Promise.all(ids.map(read))).flat();
}

/** Processor time by name of `root` and of all that it has started, s. */
async function used(root) {
  const all = await processes();
  const family = new Set([root]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { id, parent } of all) if (family.has(parent)) family.add(id);
  }
  const byName = new Map();
  for (const { id, name, used_s } of all) if (family.has(id)) byName.set(name, (byName.get(name) ?? 0) + used_s);
  return byName;
}

/** Hundredths of a core by process name. */
function share(before, after) {
  return Object.fromEntries([...after].map(([name, used_s]) => [name, Math.round(((used_s - (before.get(name) ?? 0)) / MEASURED_S) * 1_000) / 10]));
}

const sum = (shares, wanted = () => true) => Object.entries(shares).reduce((total, [name, percent]) => total + (wanted(name) ? percent : 0), 0);
const draws = (name) => name.startsWith("WebKit");
/** A process of its own, which no site has. */
const simulates = (name) => name.startsWith("quarterdeck-sim");

test("PERF-21 the window at rest costs little more than an empty one", async () => {
  const app = await startApp();
  const empty = spawn(EMPTY, [`--geometry=${SIZE}`, "about:blank"], { stdio: "ignore" });
  try {
    await app.shown;
    await pass(SETTLE_S * 1_000);
    const before = [await used(app.pid), await used(empty.pid)];
    await pass(MEASURED_S * 1_000);
    const [window, floor] = [share(before[0], await used(app.pid)), share(before[1], await used(empty.pid))];
    const whole = sum(window, (name) => !simulates(name)) - sum(floor);
    const drawing = sum(window, draws) - sum(floor, draws);
    console.log(`over ${MEASURED_S} s, % of a core: window ${JSON.stringify(window)}, empty window ${JSON.stringify(floor)}`);
    console.log(`above an empty window: ${whole.toFixed(1)} % of a core, of it drawing ${drawing.toFixed(1)} %`);
    assert.ok(floor !== undefined && Object.keys(floor).some(draws), "the empty window draws its page in a process of the same engine");
    assert.ok(drawing <= DRAWING_MAX, `drawing takes ${drawing.toFixed(1)} % of a core`);
  } finally {
    empty.kill();
    await app.close();
  }
});
