// The scene under the mouse, fingers and keys: every way of looking around leads to the same view, and nothing is drawn
// while nothing changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk } from "./site.mjs";

/** Places on screen are whole pixels. */
const NEAR_PX = 2;
/** Frames in which a scene at rest would show that it is not. */
const FRAMES = 30;

const canvas = () => desk.page.locator("main canvas");
/** Where a robot is drawn, px. */
const placeOf = async (robot) => {
  const { x, y, width, height } = await desk.at(`scene-robot-${robot}`).boundingBox();
  return [x + width / 2, y + height / 2];
};
const apart = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);
const spread = async () => apart(await placeOf("rover-1"), await placeOf("rover-2"));
const middle = async () => {
  const { x, y, width, height } = await canvas().boundingBox();
  return [x + width / 2, y + height / 2];
};
const draws = async () => Number(await canvas().getAttribute("data-draws"));
const frames = () =>
  desk.page.evaluate(
    (count) =>
      new Promise((done) => {
        const next = (left) => (left === 0 ? done() : requestAnimationFrame(() => next(left - 1)));
        next(count);
      }),
    FRAMES,
  );
const fitted = async () => {
  await desk.at("scene-fit").click();
  await frames();
  return { rover: await placeOf("rover-1"), spread: await spread() };
};

test("U-1102 the wheel zooms about the pointer, and Fit shows everything again", async () => {
  await goTo(desk.page, "/overview");
  await desk.at("scene-robot-rover-2").waitFor({ state: "attached" });
  const before = await fitted();
  await desk.page.mouse.move(...before.rover);
  await desk.page.mouse.wheel(0, -300);
  await until("nearer", async () => (await spread()) > 1.3 * before.spread);
  assert.ok(apart(await placeOf("rover-1"), before.rover) <= NEAR_PX, "what is under the pointer stays there");
  const after = await fitted();
  assert.ok(apart(after.rover, before.rover) <= NEAR_PX);
});

test("U-1102 a drag moves the scene with the pointer, a double click shows everything again", async () => {
  const before = await fitted();
  const [x, y] = await middle();
  await desk.page.mouse.move(x, y + 120);
  await desk.page.mouse.down();
  await desk.page.mouse.move(x + 60, y + 80, { steps: 4 });
  await desk.page.mouse.up();
  await until("moved", async () => apart(await placeOf("rover-1"), before.rover) > 60);
  const [rx, ry] = await placeOf("rover-1");
  assert.ok(apart([rx - 60, ry + 40], before.rover) <= NEAR_PX, "by as much as the pointer");
  await desk.page.mouse.dblclick(x, y + 120);
  await until("everything", async () => apart(await placeOf("rover-1"), before.rover) <= NEAR_PX);
});

test("U-1102 two fingers that part come nearer", async () => {
  const before = await fitted();
  const [x, y] = await middle();
  const session = await desk.page.context().newCDPSession(desk.page);
  const touch = (type, gap) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: gap === null ? [] : [x - gap, x + gap].map((at, id) => ({ x: at, y, id })),
    });
  await touch("touchStart", 40);
  for (const gap of [50, 60, 80]) await touch("touchMove", gap);
  await touch("touchEnd", null);
  await session.detach();
  await until("twice as near", async () => Math.abs((await spread()) - 2 * before.spread) < 0.1 * before.spread);
});

test("U-1102 the coordinates under the pointer are written, and gone once it has left", async () => {
  await fitted();
  await desk.page.mouse.move(...(await placeOf("rover-1")));
  const text = await until("the coordinates", () => desk.at("scene-point").textContent());
  const [x, y] = text.match(/-?\d+\.\d+/g).map(Number);
  assert.ok(Math.hypot(x, y) < 0.1, `rover-1 stands at the origin, and the pointer is at ${text}`);
  await desk.page.mouse.move(5, 5);
  await until("none", async () => (await desk.at("scene-point").textContent()) === "");
});

test("U-1102 U-801 a robot chosen in the scene is chosen in the table, and the other way round", async () => {
  await fitted();
  await desk.page.mouse.click(...(await placeOf("rover-2")));
  await desk.page.locator('[data-testid="robot-tile-rover-2"][data-chosen="true"]').waitFor();
  await desk.at("robot-tile-rover-1").click({ position: { x: 250, y: 60 } });
  await desk.page.locator('[data-testid="scene-robot-rover-1"][aria-pressed="true"]').waitFor();
  const [x, y] = await middle();
  await desk.page.mouse.click(x, y + 200);
  await desk.page.locator('[data-testid="scene-robot-rover-1"][aria-pressed="false"]').waitFor();
});

test("U-1102 U-2002 the keys look around as the mouse does", async () => {
  const before = await fitted();
  const { keyboard } = desk.page;
  await canvas().focus();
  await keyboard.press("+");
  await until("nearer", async () => (await spread()) > 1.2 * before.spread);
  await keyboard.press("-");
  await until("as before", async () => Math.abs((await spread()) - before.spread) <= NEAR_PX);
  await keyboard.press("ArrowRight");
  await until("moved", async () => (await placeOf("rover-1"))[0] < before.rover[0] - 30);
  await keyboard.press("0");
  await until("everything", async () => apart(await placeOf("rover-1"), before.rover) <= NEAR_PX);
});

test("U-1102 Tab goes through the robots, Enter chooses one, and F keeps it in the middle", async () => {
  const { keyboard } = desk.page;
  await canvas().focus();
  const seen = [];
  for (let robot = 0; robot < 3; robot += 1) {
    await keyboard.press("Tab");
    seen.push(await desk.page.evaluate(() => document.activeElement.dataset.robot));
  }
  assert.deepEqual(seen, ["arm-1", "rover-1", "rover-2"]);
  await keyboard.press("Enter");
  await desk.page.locator('[data-testid="robot-tile-rover-2"][data-chosen="true"]').waitFor();
  await keyboard.press("f");
  await desk.page.locator('[data-testid="scene-follow"][aria-pressed="true"]').waitFor();
  await until("in the middle", async () => apart(await placeOf("rover-2"), await middle()) <= NEAR_PX);
  // Nearer, and it is still there.
  const near = await spread();
  await keyboard.press("+");
  await until("nearer", async () => (await spread()) > 1.2 * near);
  await until("still in the middle", async () => apart(await placeOf("rover-2"), await middle()) <= NEAR_PX);
  await keyboard.press("ArrowLeft");
  await desk.page.locator('[data-testid="scene-follow"][aria-pressed="false"]').waitFor();
  await until("it is followed no more", async () => apart(await placeOf("rover-2"), await middle()) > 30);
  assert.deepEqual(await findings(desk.page), []);
});

test("U-1102 a focus on a robot out of sight brings it there", async () => {
  await fitted();
  await canvas().focus();
  for (let press = 0; press < 30; press += 1) await desk.page.keyboard.press("ArrowRight");
  await desk.page.keyboard.press("Tab");
  await until("in the middle", async () => apart(await placeOf("arm-1"), await middle()) <= NEAR_PX);
});

test("U-2606 nothing is drawn while nothing changes, and no bitmap is thrown away by a drawing", async () => {
  await fitted();
  // A pose that comes late on a busy machine is a change, and is drawn; a pointer that only points draws nothing ever.
  const settled = await until("rest under a pointer that points", async () => {
    await desk.page.mouse.move(...(await middle()));
    const before = await draws();
    await desk.page.mouse.move(...(await placeOf("rover-1")), { steps: 20 });
    await frames();
    return (await draws()) === before && before;
  });
  await desk.page.evaluate(() => {
    window.resized = 0;
    // An assignment of the same size is told too, and throws the bitmap away as well.
    new MutationObserver((records) => (window.resized += records.length)).observe(
      document.querySelector("main canvas"),
      { attributeFilter: ["width", "height"] },
    );
  });
  await desk.page.mouse.wheel(0, -200);
  await until("a drawing", async () => (await draws()) > settled);
  assert.equal(await desk.page.evaluate(() => window.resized), 0);
});

test("U-1102 the map of a robot comes onto the ground, is said in words, and stays as this desk has chosen", async () => {
  await goTo(desk.page, "/overview");
  await fitted();
  await desk.at("scene-maps").waitFor();
  assert.equal(await desk.at("scene-maps").getAttribute("aria-pressed"), "false", "the site plan shows the building");
  const word = desk.page.getByText("Map of rover-1: 19.0 × 17.0 m in map").first();
  await desk.at("scene-maps").focus();
  await desk.page.keyboard.press("Enter");
  await word.waitFor({ state: "attached" });
  await goTo(desk.page, "/world");
  await desk.page.locator("main").getByRole("button", { name: "Maps", pressed: true }).waitFor();
  await goTo(desk.page, "/overview");
  await word.waitFor({ state: "attached" });
  assert.deepEqual(await findings(desk.page), []);
  await desk.at("scene-maps").click();
  await word.waitFor({ state: "detached" });
});

test("U-1103 in three dimensions the wheel comes nearer", async () => {
  await desk.page.locator("main").getByRole("radio", { name: "3D" }).press("Enter");
  const space = desk.at("scene-3d");
  const before = await until("a drawing", async () => Number(await space.getAttribute("data-draws")));
  await space.hover();
  await desk.page.mouse.wheel(0, -200);
  await until("another", async () => Number(await space.getAttribute("data-draws")) > before);
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
