// Missions that run: their goals with the state of each, the card that one waits for, and what a person says.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const MOTION = "{pose_goal: {position_m: [0.5, 0.2, 1.0], speed_mps: 0.2}}";
const STEP = `{operation: send_command, name: reach, input: {robot: arm-1, actuator: arm, motion: ${MOTION}}}`;
const FILE = `---\ntitle: Reach\nrobots: [arm-1]\ngoals: [The bench is clear, ${STEP}]\n---\nReach out once.\n`;

test("ML-16 ML-24 a goal that is a sentence is ticked, and one that moves a robot leads to its card", async () => {
  const { page, at } = desk;
  await writeFile(join(server.folder, "agents/main/missions/reach.md"), FILE);
  await goTo(page, "/missions/reach");
  await at("activate_mission").click();
  const accept = page.locator('[data-testid^="accept-"]');
  await at("activation-yes").waitFor();
  for (const box of await accept.all()) await box.check();
  await page.locator('[data-testid="activation-yes"]:enabled').click();
  await at("mission-state").getByText("blocked").waitFor();
  await at("goal-done-1").click();
  await at("mission-goals").getByText("done", { exact: true }).waitFor();
  await at("mission-reason-now").getByText("Goal 2 (reach) is next.").waitFor();
  await until("armed", () =>
    server.call("arm_robot", { robot: "arm-1" }).then(
      () => true,
      () => false,
    ),
  );
  await at("mission-goals").getByText("waits for approval").waitFor();
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding where a goal waits for its card, in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { route: "/missions/reach", theme });
    await other.at("goal-card-2").waitFor();
    assert.deepEqual(await findings(other.page), []);
    assertClean(other);
    await other.close();
  });
}

test("ML-17 what a rejected goal means is told, and the mission has failed", async () => {
  const { page, at } = desk;
  await at("goal-card-2").click();
  await page.waitForURL(/#\/approvals\/pr-/);
  const [card] = await server.call("list_proposals", { state: "waiting" });
  await server.call("reject_proposal", { id: card.id, version: card.version, reason: "not_now" });
  await goTo(page, "/missions/reach");
  await at("mission-state").getByText("failed").waitFor();
  await at("mission-reason-now").getByText("rejected: not_now").waitFor();
});

test("U-110 the window spoke to its station only, within its policy", () => {
  assert.deepEqual(
    desk.problems.filter((problem) => !problem.startsWith("console: Failed to load resource")),
    [],
  );
});
