// Stale data looks stale: a dropped link, a sensor that sends nonsense, a station that is gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { goTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

/** `state.pose.max_age_ms` of the simulated rovers, and what the ticker may add (U-502). */
const HATCHED_MS = 500 + 250;
/** The window asks the page every so often, and the fault needs its way to the simulator. */
const SLACK_MS = 250;

const poseOf = (robot) => desk.at(`robot-tile-${robot}`).locator("[data-freshness]").last();
const fault = (target, name, on) => server.call("inject_fault", { target, fault: name, on });

test("U-502 a dropped link hatches the pose within its maximum age and a tick", async () => {
  await desk.page.locator('[data-testid="calm"][data-calm="true"]').waitFor();
  await fault("rover-1", "drop_link", true);
  const dropped = performance.now();
  const state = await until("an old pose", async () => {
    const now = await poseOf("rover-1").getAttribute("data-freshness");
    return now === "stale" || now === "lost" ? now : null;
  });
  const took_ms = performance.now() - dropped;
  assert.ok(took_ms <= HATCHED_MS + SLACK_MS, `${state} after ${Math.round(took_ms)} ms`);
  await until(
    "another robot as fresh as before",
    async () => (await poseOf("rover-2").getAttribute("data-freshness")) === "live",
  );
});

test("U-505 U-804 the lost link is named and nothing claims to be normal", async () => {
  await desk.at("robot-tile-rover-1").filter({ hasText: "LINK LOST" }).waitFor();
  assert.equal(await desk.at("calm").getAttribute("data-calm"), "false");
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
  server.child.kill("SIGSTOP");
  try {
    await desk.at("station-lost").waitFor({ timeout: 3_000 });
    await until("hatched values", async () => (await desk.page.locator('[data-freshness="live"]').count()) === 0);
    assert.equal(await desk.at("arm-arm-1").isDisabled(), true);
    assert.equal(await desk.at("stop-all").isEnabled(), true);
    await desk
      .at("station-lost")
      .filter({ hasText: /No contact with the station for [2-9]/ })
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
      .filter({ hasText: /for [6-9]/ })
      .waitFor();
  } finally {
    server.child.kill("SIGCONT");
  }
  const back = desk.at("back");
  await back.filter({ hasText: /Contact again after [\d.]+ s/ }).waitFor();
  const words = await back.textContent();
  if (!words.includes("Nothing was recorded")) {
    await desk.at("back-review").click();
    const told = await desk.at("back-list").getByRole("link").count();
    assert.ok(told > 0, words);
    await desk.page.keyboard.press("Escape");
  }
  await desk.at("back-done").click();
  await back.waitFor({ state: "detached" });
});
