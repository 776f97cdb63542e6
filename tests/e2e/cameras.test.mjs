// Pictures of cameras: they change, say that they are lost, are enlarged by key, and leave the way of STOP ALL free.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, tabTo, untilFocused } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const pane = (robot, camera) => desk.at(`camera-${robot}-${camera}`);
const fault = (target, on) => server.call("inject_fault", { target, fault: "silent_camera", on });

/** Somebody walks through every zone more often than this. */
const WALKED_MS = 240_000;

/** The pixels of a pane's picture as one number; 0 while nothing was drawn. */
const pixels = (robot, camera) =>
  pane(robot, camera)
    .locator("canvas")
    .evaluate((canvas) => {
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      return data.reduce((sum, byte, at) => (sum + byte * ((at % 251) + 1)) % 1_000_003, 0);
    });

test("U-406 pictures of both forms are shown, change, and say how many and how old they are", async () => {
  await goTo(desk.page, "/world/cameras");
  for (const [robot, camera] of [
    ["arm-1", "cell"],
    ["rover-1", "front"],
  ]) {
    await pane(robot, camera).getByText("320 × 240").waitFor();
    const first = await pixels(robot, camera);
    await until("another picture", async () => (await pixels(robot, camera)) !== first);
    await pane(robot, camera)
      .getByText(/^shown \d+\.\d of \d+\.\d Hz$/)
      .waitFor();
    await pane(robot, camera)
      .getByTestId("camera-age")
      .filter({ hasText: /^< \d+\.\d s$/ })
      .waitFor();
  }
  assert.deepEqual(await findings(desk.page), []);
});

test("U-406 whom the detector finds in a picture is boxed there, in words", async () => {
  const cell = pane("arm-1", "cell");
  await cell.getByText(/^\d detections?$/).waitFor();
  await pane("rover-1", "front")
    .getByText(/^\d detections?$/)
    .waitFor();
  // The simulated walkers pass through the hallway, which this camera looks into.
  // All of it in one look: who was found may have left the picture by the next one.
  const look = () =>
    cell.evaluate((element) => {
      const found = element.querySelector('[aria-label="Detections"] li');
      const place = (one) => {
        const { x, width } = one.getBoundingClientRect();
        return { x, width };
      };
      return found && { text: found.textContent, box: place(found), picture: place(element.querySelector("canvas")) };
    });
  const { text, box, picture } = await until("somebody in the hallway", look, WALKED_MS);
  assert.match(text, /^(person|dog|toddler|robot) \d+ %$/);
  assert.ok(box.x >= picture.x - 1 && box.x + box.width <= picture.x + picture.width + 1);
  assert.ok(box.width > 3 && box.width < picture.width / 2);
  assert.deepEqual(await findings(desk.page), []);
});

test("U-1108 a camera that is lost shows its last picture hatched, with the time, and comes back", async () => {
  const cell = pane("arm-1", "cell");
  await fault("arm-1", true);
  await cell.getByText(/^Picture lost \d+ s ago, at \d\d:\d\d:\d\d$/).waitFor();
  const last = await pixels("arm-1", "cell");
  assert.notEqual(last, 0, "the last picture stays");
  await cell.getByText(/^shown/).waitFor({ state: "detached" });
  await cell.getByText("no detections arrive").waitFor();
  assert.equal(await cell.getByRole("list", { name: "Detections" }).count(), 0, "none is shown over an old picture");
  assert.equal(await cell.locator("figure").getAttribute("data-state"), "stale");
  // The others go on, if sometimes late on a busy machine.
  await pane("rover-1", "front").getByTestId("camera-trouble").waitFor({ state: "detached" });
  assert.deepEqual(await findings(desk.page), []);
  await fault("arm-1", false);
  await until("a new picture", async () => (await pixels("arm-1", "cell")) !== last);
  await cell.getByTestId("camera-trouble").waitFor({ state: "detached" });
});

test("U-406 Enter enlarges a picture beside STOP ALL, and Escape goes back to where it was", async () => {
  const { page } = desk;
  await page.locator("main").focus();
  await tabTo(page, '[aria-label="Enlarge arm-1 cell"]');
  await page.keyboard.press("Enter");
  const large = desk.at("camera-large");
  await large.getByText("320 × 240").waitFor();
  assert.ok((await large.locator("canvas").boundingBox()).width > 400);
  assert.ok(await desk.at("stop-all").isEnabled());
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  await untilFocused(page, '[aria-label="Enlarge arm-1 cell"]');
});

test("U-406 one picture is asked for at a time, and none once no pane is in sight", async () => {
  const { page } = desk;
  const open = new Set();
  let most = 0;
  let asked = 0;
  const isPicture = (request) => request.url().endsWith("/op/camera_frame");
  const begun = (request) => {
    if (!isPicture(request)) return;
    asked += 1;
    open.add(request);
    most = Math.max(most, open.size);
  };
  const ended = (request) => open.delete(request);
  page.on("request", begun);
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  await until("twenty questions", () => asked >= 20);
  assert.equal(most, 1);
  await goTo(page, "/overview");
  await pane("arm-1", "cell").waitFor({ state: "detached" });
  await until("no answer is waited for", () => open.size === 0);
  const before = asked;
  // A window says that it is alive once a second.
  for (const _second of [1, 2]) await page.waitForRequest((request) => request.url().endsWith("/op/screen_alive"));
  assert.equal(asked, before);
  for (const [event, listener] of [
    ["request", begun],
    ["requestfinished", ended],
    ["requestfailed", ended],
  ])
    page.off(event, listener);
});

test("U-1108 a robot's page shows its own cameras, and that of a robot without one shows none", async () => {
  await goTo(desk.page, "/safety/rover-1");
  await pane("rover-1", "front").getByText("320 × 240").waitFor();
  assert.equal(await pane("arm-1", "cell").count(), 0);
  await goTo(desk.page, "/safety/gate-1");
  await desk.at("safety-state").waitFor();
  assert.equal(await desk.page.locator("main canvas[aria-label^='Picture of']").count(), 0);
  assertClean(desk);
});
