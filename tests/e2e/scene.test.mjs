// The scene in three dimensions: drawn when something changed, turned by keys, and given up for the flat one where
// graphics fail.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { ARGS, assertClean, findings, goTo, openDesk, say, tabTo } from "./desk.mjs";
import { setFrameTime } from "./frames.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

/** Frames in which a scene at rest would show that it is not. */
const FRAMES = 30;

const draws = async (canvas) => Number(await canvas.getAttribute("data-draws"));
const frames = (page) =>
  page.evaluate(
    (count) =>
      new Promise((done) => {
        const next = (left) => (left === 0 ? done() : requestAnimationFrame(() => next(left - 1)));
        next(count);
      }),
    FRAMES,
  );

/** Colours of the picture as it is on the screen. */
const colours = (canvas) =>
  canvas.screenshot().then((png) =>
    desk.page.evaluate(
      async (bytes) => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
        const paper = new OffscreenCanvas(image.width, image.height).getContext("2d");
        paper.drawImage(image, 0, 0);
        const { data } = paper.getImageData(0, 0, image.width, image.height);
        return new Set(
          Array.from({ length: data.length / 4 }, (_, pixel) => data.slice(4 * pixel, 4 * pixel + 3).join()),
        ).size;
      },
      [...png],
    ),
  );

async function choose3d(page, where) {
  await page.locator(where).getByRole("radio", { name: "3D" }).press("Enter");
}

test("U-1103 the world is drawn in three dimensions, chosen and turned by keys", async () => {
  const { page, at } = desk;
  await goTo(page, "/world/arm-1");
  await choose3d(page, "main");
  const canvas = at("scene-3d");
  await until("a drawing", async () => (await draws(canvas)) > 0);
  await until("more than an empty ground", async () => (await colours(canvas)) > 4);
  await tabTo(page, '[data-testid="scene-3d"]');
  const before = await draws(canvas);
  await page.keyboard.press("ArrowLeft");
  await until("a turn", async () => (await draws(canvas)) > before);
  assert.deepEqual(await findings(page), []);
});

test("U-1103 a press on a robot in three dimensions chooses it, and a drag turns the scene and chooses none", async () => {
  const { page, at } = desk;
  await goTo(page, "/world");
  await choose3d(page, "main");
  const canvas = at("scene-3d");
  await until("a drawing", async () => (await draws(canvas)) > 0);
  const { x, y, width, height } = await canvas.boundingBox();
  const chosen = () => /#\/world\/(arm|rover|gate)-\d$/.test(page.url());
  const before = await draws(canvas);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 30, y + height / 2, { steps: 3 });
  await page.mouse.up();
  await until("a turn", async () => (await draws(canvas)) > before);
  assert.equal(chosen(), false);
  const places = Array.from({ length: 24 * 16 }, (_, at) => [(at % 24) + 0.5, Math.floor(at / 24) + 0.5]);
  for (const [across, down] of places) {
    await page.mouse.click(x + (width * across) / 24, y + (height * down) / 16);
    if (chosen()) break;
  }
  assert.ok(chosen(), "one of the presses met a robot");
});

test("U-1103 a robot is drawn as its URDF describes it, and a mesh that is missing is named", async () => {
  const { page, at } = desk;
  const bare = await colours(at("scene-3d"));
  await writeFile(
    join(server.folder, "robots/rover-2.urdf"),
    '<robot name="rover"><link name="base"><visual><geometry><mesh filename="package://rover/hull.stl"/></geometry>' +
      '</visual><visual><geometry><box size="0.6 0.4 0.3"/></geometry><material name="red"><color rgba="1 0 0 1"/>' +
      "</material></visual></link></robot>",
  );
  // A scene keeps the bodies it has loaded.
  await goTo(page, "/overview");
  await goTo(page, "/world/rover-2");
  await choose3d(page, "main");
  await at("body-troubles").waitFor();
  assert.match(await at("body-troubles").textContent(), /A mesh of rover-2 cannot be drawn: rover\/hull\.stl\./);
  await until("the rest of it is drawn", async () => (await colours(at("scene-3d"))) > bare / 2);
  assert.deepEqual(await findings(page), []);

  await goTo(page, "/safety/arm-1");
  const joints = at("joints").getByRole("row");
  await until("the joints", async () => /1\.800 m/.test((await joints.nth(3).textContent()) ?? ""));
  assert.deepEqual(await findings(page), []);
  await goTo(page, "/world/arm-1");
  await choose3d(page, "main");
  await until("a drawing", async () => (await draws(at("scene-3d"))) > 0);
});

test("U-1104 nothing is drawn while nothing changes", async () => {
  const canvas = desk.at("scene-3d");
  // A pose that comes late on a busy machine is a change, and is drawn; between two of them there is rest.
  await until("rest", async () => {
    const before = await draws(canvas);
    await frames(desk.page);
    await frames(desk.page);
    return before > 0 && (await draws(canvas)) === before;
  });
});

test("U-1606 a denial is drawn in three dimensions, and its keys lead back to the flat sides", async () => {
  const { page, at } = desk;
  await say(desk, "move arm-1 to 2 0 1 at 0.2 m/s");
  await at("denial-scene").locator("canvas").waitFor();
  await choose3d(page, '[data-testid="denial"]');
  const canvas = at("denial-scene").getByTestId("scene-3d");
  await until("a drawing", async () => (await draws(canvas)) > 0);
  await canvas.press("1");
  await page.getByTestId("denial").getByRole("radio", { name: "Front", checked: true }).waitFor();
  await canvas.waitFor({ state: "detached" });
});

test("U-1104 graphics that are lost give way to the flat scene, and are tried again", async () => {
  const { page, at } = desk;
  await at("scene-3d").evaluate((canvas) =>
    canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext(),
  );
  await at("scene-off").filter({ hasText: "3D is off: slow graphics" }).waitFor();
  await page
    .locator("main")
    .getByRole("img", { name: /^Scene from the Top/i })
    .waitFor();
  await at("scene-again").press("Enter");
  await until("a drawing", async () => (await draws(at("scene-3d"))) > 0);
});

test("U-1104 frames that take too long give way to the flat scene", async () => {
  const { page, at } = desk;
  await at("scene-3d").focus();
  await setFrameTime(page, 150);
  await until("the flat scene", async () => {
    if (await at("scene-3d").count()) await page.keyboard.press("ArrowLeft");
    return (await at("scene-off").count()) > 0;
  });
  await setFrameTime(page);
  await at("scene-again").press("Enter");
  await until("a drawing", async () => (await draws(at("scene-3d"))) > 0);
});

test("U-1104 without any graphics the flat scene is there at once", async () => {
  const plain = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [...ARGS, "--disable-3d-apis"],
  });
  const other = await openDesk(plain, server, { route: "/world" });
  await choose3d(other.page, "main");
  await other.at("scene-off").waitFor();
  await other.page
    .locator("main")
    .getByRole("img", { name: /^Scene from the Top/i })
    .waitFor();
  assert.deepEqual(await findings(other.page), []);
  assertClean(other);
  await plain.close();
});

test("U-1104 the code of three dimensions comes only when it is looked at", async () => {
  const other = await openDesk(browser, server, { route: "/world" });
  await other.at("entry").or(other.page.locator("main canvas")).first().waitFor();
  const loaded = () =>
    other.page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("scene3d")).length,
    );
  assert.equal(await loaded(), 0);
  await choose3d(other.page, "main");
  await until("its code", async () => (await loaded()) === 1);
  await other.close();
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
