// See robots, see the world, ask for a motion, approve it, be denied.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, goTo, hold, say } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const ROBOTS = ["arm-1", "gate-1", "rover-1", "rover-2"];

test("U-106 the mode is unmistakable", async () => {
  await desk.at("mode").filter({ hasText: "SIMULATOR – no hardware moves" }).waitFor();
});

test("U-801 U-804 every robot is shown and all is normal", async () => {
  for (const robot of ROBOTS) await desk.at(`robot-tile-${robot}`).waitFor();
  const calm = desk.page.locator('[data-testid="calm"][data-calm="true"]');
  await calm.filter({ hasText: /All normal\s*Checked < 1 s ago/ }).waitFor();
});

test("U-1101 the world state is shown with confidence, age and source", async () => {
  await goTo(desk.page, "/world");
  const row = desk.at("world-row-person.location");
  await row.filter({ hasText: /hallway.*0\.92.*\d s.*lab\/cam-1/ }).waitFor();
});

test("U-1107 the scene is also there as text", async () => {
  await desk.page
    .getByText(/^arm-1 at \(.*\) m in map/)
    .first()
    .waitFor();
});

test("U-1202 U-1205 U-1209 a motion asked for in words moves the arm once it is approved", async () => {
  await goTo(desk.page, "/overview");
  await desk.at("arm-arm-1").click();
  await desk.at("robot-tile-arm-1").locator('[data-state="armed"]').waitFor();
  await say(desk, "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s");
  const waiting = await until("a proposal", async () => (await server.call("list_proposals", { state: "waiting" }))[0]);
  const card = desk.at(`proposal-${waiting.id}`);
  await card.filter({ hasText: "0.5, 0.2, 1" }).waitFor();
  assert.ok((await card.locator("tbody tr").count()) >= 2, "every limit is listed");

  const approve = card.getByTestId("approve");
  await approve.focus();
  await desk.page.keyboard.press("Enter");
  await approve.click();
  assert.equal(
    (await server.call("list_proposals", { state: "waiting" })).length,
    1,
    "neither Enter nor a click approves",
  );

  await hold(desk.page, approve);
  await desk.page.locator(`[data-testid="proposal-${waiting.id}"][data-state="done"]`).waitFor();
  // It is done once the arm is near; the last millimetres come with the samples after.
  await until("the arm there", async () => {
    const arm = (await server.call("list_robots")).find(({ id }) => id === "arm-1");
    return Math.hypot(...arm.pose.position_m.map((metres, axis) => metres - [0.5, 0.2, 1.0][axis])) < 0.02;
  });
});

test("U-1604 a motion outside the workspace is denied and every limit is explained", async () => {
  await say(desk, "move arm-1 to 2 0 1");
  const denial = desk.at("denial");
  await denial.waitFor();
  const rows = denial.locator("tbody tr");
  assert.ok((await rows.count()) >= 2, "allowed limits are listed too");
  assert.match(await denial.textContent(), /Workspace/);
  assert.match(await denial.locator('tr[data-verdict="deny"]').first().textContent(), /−\d/);
  assert.deepEqual(await server.call("list_proposals", { state: "waiting" }), []);
});

test("U-1203 a rejected proposal is told to the agent and moves nothing", async () => {
  await say(desk, "move arm-1 to 0.4 0.1 0.9 at 0.1 m/s");
  const waiting = await until("a proposal", async () => (await server.call("list_proposals", { state: "waiting" }))[0]);
  await goTo(desk.page, `/approvals/${waiting.id}`);
  const card = desk.page.locator("main").getByTestId(`proposal-${waiting.id}`);
  await card.getByTestId("reject").click();
  await card.getByTestId("reject-not_now").click();
  await desk.page.locator(`main [data-testid="proposal-${waiting.id}"][data-state="rejected"]`).waitFor();
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));

test("a window without a token asks for it, and forgets one that is refused", async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}/#token=wrong`);
  const field = page.getByLabel("Token");
  await field.waitFor();
  await field.fill(server.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByTestId("stop-all").waitFor();
  assert.doesNotMatch(page.url(), /token/);
  await page.close();
});
