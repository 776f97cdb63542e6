// The activity line under the scene: what happened in the last half hour, each mark a way to what it is about.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, openDesk } from "./desk.mjs";
import { browser, desk, server } from "./site.mjs";

const OUTSIDE = { robot: "arm-1", actuator: "arm", motion: { pose_goal: { position_m: [3, 0, 1], speed_mps: 0.2 } } };

test("U-803 without a stop, denial, approval or mission the line says so", async () => {
  await desk.at("activity").getByText("No stop, denial, approval or mission").waitFor();
});

test("U-803 a denial and a stop stand on the line in their order, and lead to their robot and to the stops", async () => {
  const { page, at } = desk;
  // The first judgement of a program reads it from the disk, and one that takes too long is denied without a limit.
  await server.call("check_command", OUTSIDE);
  await server.call("send_command", OUTSIDE);
  const denial = at("activity").getByRole("link", { name: /denied: / });
  await denial.waitFor();
  await server.call("stop_all");
  const stop = at("activity").getByRole("link", { name: /stop #1/ });
  await stop.waitFor();
  const [first, second] = await Promise.all([denial.boundingBox(), stop.boundingBox()]);
  assert.ok(first.x < second.x, `${first.x} is left of ${second.x}`);
  await denial.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/safety\/arm-1$/);
});

test("U-2001 no serious finding on the line, in both themes, and nothing reaches over its ends", async () => {
  for (const theme of ["light", "dark"]) {
    const other = await openDesk(browser, server, { theme });
    await other.page.setViewportSize({ width: 1280, height: 800 });
    await other.at("activity").getByRole("link").first().waitFor();
    assert.deepEqual(await findings(other.page), [], theme);
    const line = await other.at("activity").boundingBox();
    for (const mark of await other.at("activity").getByRole("link").all()) {
      const box = await mark.boundingBox();
      assert.ok(box.x >= line.x && box.x + box.width <= line.x + line.width, `${JSON.stringify(box)} in ${theme}`);
    }
    assertClean(other);
    await other.close();
  }
});
