// A decision is taken in the real scene, in every size of window.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk, say } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

/** Sizes of a window, CSS pixels: usual, and a laptop's at 200 % zoom. */
const USUAL = { width: 1280, height: 800 };
const ZOOMED = { width: 640, height: 400 };

const box = async (locator) => {
  const found = await locator.boundingBox();
  assert.ok(found, "it is on the screen");
  return found;
};

test("FU-08 all positions are in the one frame that the heading names", async () => {
  await desk.page.getByText("Positions in map").waitFor();
  await desk.at("robot-tile-arm-1").filter({ hasText: "(1.30, 0.00, 0.80) m" }).waitFor();
  await desk.at("robot-tile-rover-1").filter({ hasText: "(0.00, 0.00, 0.00) m" }).waitFor();
});

test("FU-07 a motion is decided on in the scene of the site, beside its figures and limits", async () => {
  await desk.page.setViewportSize(USUAL);
  await server.call("arm_robot", { robot: "arm-1" });
  await say(desk, "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s");
  const { id } = await until("a card", async () => (await server.call("list_proposals", { state: "waiting" }))[0]);
  const dock = desk.page.locator("[data-region=dock]");
  await dock.getByTestId("decision-scene").waitFor();
  await desk.at("toggle-dock").click();
  await goTo(desk.page, `/approvals/${id}`);
  const card = desk.page.locator("main").getByTestId(`proposal-${id}`);
  const [scene, limits, approve] = [
    card.getByTestId("decision-scene"),
    card.locator("table"),
    card.getByTestId("approve"),
  ];
  await scene.locator("canvas").waitFor();
  await until("a large scene, the limits beside it, and the decision in sight without scrolling", async () => {
    const [drawn, listed, decided] = [await box(scene), await box(limits.first()), await box(approve)];
    const isLarge = drawn.width >= 320 && drawn.height >= 280;
    return isLarge && listed.x >= drawn.x + drawn.width && decided.y + decided.height <= USUAL.height;
  });
  assert.deepEqual(await findings(desk.page), []);
});

test("FU-07 the scene of a decision is looked at from other sides by keys", async () => {
  const scene = desk.page.locator("main").getByTestId("decision-scene");
  const canvas = scene.locator("canvas");
  const draws = async () => Number(await canvas.getAttribute("data-draws"));
  const before = await draws();
  await desk.page.locator("main").getByRole("radio", { name: "Front" }).press(" ");
  await until("another side", async () => (await draws()) > before);
  await scene.locator('canvas[aria-label*="Front"]').filter({ visible: true }).waitFor();
});

test("FU-03 what is stopped waits for somebody, and no robot's row is cut", async () => {
  await goTo(desk.page, "/overview");
  await desk.at("stop-all").click();
  await desk.at("open-stops").or(desk.page.getByText("Stopped: all 4 robots")).first().waitFor();
  await desk.page.keyboard.press("Escape");
  const column = await box(desk.page.locator("main"));
  for (const robot of ["arm-1", "gate-1", "rover-1", "rover-2"]) {
    await until(`${robot} is in sight`, async () => {
      const row = await box(desk.at(`robot-tile-${robot}`));
      return row.y >= column.y && row.y + row.height <= column.y + column.height;
    });
  }
});

test("FU-04 U-206 at 200 % zoom the robots come first, each with all of its row", async () => {
  const zoomed = await openDesk(browser, server);
  await zoomed.page.setViewportSize(ZOOMED);
  const tile = zoomed.at("robot-tile-arm-1");
  await tile.waitFor();
  await until("all of its row", async () => (await box(tile)).height >= 40);
  await zoomed.at("robot-tile-rover-2").scrollIntoViewIfNeeded();
  await until("all of the last row", async () => (await box(zoomed.at("robot-tile-rover-2"))).height >= 40);
  await zoomed.page.setViewportSize(USUAL);
  await zoomed.at("composer").waitFor();
  await zoomed.close();
});

test("FU-05 at 1024 × 700 no button that arms a robot lies under the dock", async () => {
  const small = await openDesk(browser, server);
  await small.page.setViewportSize({ width: 1024, height: 700 });
  await small.at("composer").waitFor();
  for (const robot of ["arm-1", "gate-1", "rover-1", "rover-2"]) {
    await until(`${robot} can be armed`, async () => {
      const [dock, arm] = [await box(small.page.locator("[data-region=dock]")), await box(small.at(`arm-${robot}`))];
      return arm.x + arm.width <= dock.x;
    });
  }
  await small.close();
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
