// Stale data looks stale: a dropped link, a sensor that sends nonsense, a station that is gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

/** `state.pose.max_age_ms` of the simulated rovers, and what the ticker may add (U-502). */
const HATCHED_MS = 500 + 250;
/** The page is looked at every so often, and the fault needs its way to the simulator. */
const SLACK_MS = 250;
/** A station that is silent for a second is lost (U-402); the rest is for the signal and the way to the screen. */
const LOST_MS = 3_000;

const poseOf = (robot) => desk.at(`robot-tile-${robot}`).locator("[data-freshness]").last();
const fault = (target, name, on) => server.call("inject_fault", { target, fault: name, on });

/**
 * Looks in the window itself for the last element of `selector`, in one of these freshnesses if any are given: when it
 * was there, and the longest time for which the window came too late to its looks, as it does to everything else.
 */
const appears = (selector, freshnesses = null) =>
  desk.page.evaluate(
    ([wanted, states]) =>
      new Promise((done, fail) => {
        const [LOOK_MS, LOOKS_MAX] = [20, 3_000];
        let [last_ms, late_ms, looks] = [performance.now(), 0, 0];
        const timer = setInterval(() => {
          const now_ms = performance.now();
          late_ms = Math.max(late_ms, now_ms - last_ms - LOOK_MS);
          last_ms = now_ms;
          looks += 1;
          if (looks > LOOKS_MAX) fail(new Error(`it has not come: ${wanted}`));
          const found = [...document.querySelectorAll(wanted)].at(-1);
          if (!found || (states && !states.includes(found.dataset.freshness))) return;
          clearInterval(timer);
          done({ at_ms: Date.now(), late_ms });
        }, LOOK_MS);
      }),
    [selector, freshnesses],
  );

test("U-502 a dropped link hatches the pose within its maximum age and a tick", async () => {
  await desk.page.locator('[data-testid="calm"][data-calm="true"]').waitFor();
  const hatched = appears('[data-testid="robot-tile-rover-1"] [data-freshness]', ["stale", "lost"]);
  const asked_ms = Date.now();
  await fault("rover-1", "drop_link", true);
  const dropped_ms = Date.now();
  const { at_ms, late_ms } = await hatched;
  // What the machine itself was late by: the station with its answer, and the window with its looks.
  const busy_ms = dropped_ms - asked_ms + late_ms;
  const told = `after ${at_ms - dropped_ms} ms, of which the machine was busy for ${Math.round(busy_ms)} ms`;
  assert.ok(at_ms - dropped_ms <= HATCHED_MS + SLACK_MS + busy_ms, told);
  await until(
    "another robot as fresh as before",
    async () => (await poseOf("rover-2").getAttribute("data-freshness")) === "live",
  );
});

test("U-505 U-804 the lost link is named and nothing claims to be normal", async () => {
  await desk.at("robot-tile-rover-1").filter({ hasText: "LINK LOST" }).waitFor();
  await desk.page.locator('[data-testid="calm"][data-calm="false"]').waitFor();
  await desk.at("stop-all").filter({ hasText: "rover-1 cannot confirm" }).waitFor();
});

test("U-509 the scene says when the robot was last seen", async () => {
  await goTo(desk.page, "/world");
  await desk.page
    .getByText(/^rover-1 last seen \d/)
    .first()
    .waitFor();
  await goTo(desk.page, "/overview");
});

test("the link comes back, and all is normal again once somebody has seen that it was lost", async () => {
  await fault("rover-1", "drop_link", false);
  const alarms = await until("the alarm", async () => {
    const rows = await server.call("list_alarms");
    return rows.length > 0 && rows.every(({ state }) => state === "unack_returned") && rows;
  });
  await server.call("acknowledge_alarms", {
    ids: alarms.map(({ id }) => id),
    seq: Math.max(...alarms.map(({ seq }) => seq)),
  });
  await desk.page.locator('[data-testid="calm"][data-calm="true"]').waitFor();
});

test("U-501 a pose that is not a number makes the robot's pose old, never current", async () => {
  await fault("rover-2", "nan_sample", true);
  await until("an old pose", async () =>
    ["stale", "lost"].includes(await poseOf("rover-2").getAttribute("data-freshness")),
  );
  assert.doesNotMatch(await desk.at("robot-tile-rover-2").textContent(), /NaN/);
  await fault("rover-2", "nan_sample", false);
});

test("U-402 U-503 a station that falls silent is named, everything is hatched, commands are off, STOP ALL is not", async () => {
  const named = appears('[data-testid="station-lost"]');
  const silent_ms = Date.now();
  server.child.kill("SIGSTOP");
  try {
    const { at_ms, late_ms } = await named;
    assert.ok(at_ms - silent_ms <= LOST_MS + late_ms, `named after ${at_ms - silent_ms} ms`);
    await until("hatched values", async () => (await desk.page.locator('[data-freshness="live"]').count()) === 0);
    await desk.page.locator('[data-testid="arm-arm-1"]:disabled').waitFor();
    assert.equal(await desk.at("stop-all").isEnabled(), true);
    await desk
      .at("station-lost")
      .filter({ hasText: /No contact with the station for ([2-9]|\d\d)/ })
      .waitFor();
  } finally {
    server.child.kill("SIGCONT");
  }
  await desk.at("station-lost").waitFor({ state: "detached" });
});

test("U-507 contact that comes back is told with its length and what came meanwhile, each a step away", async () => {
  server.child.kill("SIGSTOP");
  try {
    await desk
      .at("station-lost")
      .filter({ hasText: /for ([6-9]|\d\d)/ })
      .waitFor();
  } finally {
    server.child.kill("SIGCONT");
  }
  const back = desk.at("back");
  await back.filter({ hasText: /Contact again after [\d.]+ s/ }).waitFor();
  const words = await back.textContent();
  if (!words.includes("Nothing was recorded")) {
    await desk.at("back-review").click();
    await desk.at("back-list").getByRole("link").first().waitFor();
    await desk.page.keyboard.press("Escape");
  }
  await desk.at("back-done").click();
  await back.waitFor({ state: "detached" });
});
