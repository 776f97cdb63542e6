// The look of this desk: theme, contrast and sizes, chosen by mouse or key and remembered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk } from "./site.mjs";

const root = () =>
  desk.page.evaluate(() => {
    const { theme, contrast } = document.documentElement.dataset;
    return `${theme} ${contrast}`;
  });
const choose = async (group, name) => {
  await desk.page.getByRole("radiogroup", { name: group }).getByRole("radio", { name }).press("Enter");
};
/** Width of a part of the window, px. */
const widthOf = (selector) => desk.page.locator(selector).evaluate((element) => Math.round(element.offsetWidth));
const DOCK = "[data-region=dock]";
const SCENE = 'main [data-testid="scene"]';

test("U-1702 theme and contrast are chosen in Admin, at once, and remembered", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/appearance");
  await at("appearance").waitFor();
  assert.equal(await root(), "light normal");
  await choose("Theme", "Dark");
  await choose("Contrast", "High");
  await until("dark and strong", async () => (await root()) === "dark more");
  assert.deepEqual(await findings(page), []);
  await page.reload();
  await at("appearance").waitFor();
  assert.equal(await root(), "dark more");
  await choose("Theme", "Light");
  await until("light and strong", async () => (await root()) === "light more");
  assert.deepEqual(await findings(page), []);
});

test("U-1702 System follows the computer again", async () => {
  await choose("Theme", "System");
  await choose("Contrast", "System");
  await until("the computer's", async () => (await root()) === "light normal");
  await desk.page.emulateMedia({ colorScheme: "dark" });
  await until("dark", async () => (await root()) === "dark normal");
  await desk.page.emulateMedia({ colorScheme: "light" });
  await until("light", async () => (await root()) === "light normal");
});

test("U-1102 the scene is drawn anew in the colours of another theme", async () => {
  await goTo(desk.page, "/overview");
  const canvas = desk.page.locator("main canvas");
  const before = await until("a drawing", async () => Number(await canvas.getAttribute("data-draws")));
  await desk.page.emulateMedia({ colorScheme: "dark" });
  await until("another", async () => Number(await canvas.getAttribute("data-draws")) > before);
  await desk.page.emulateMedia({ colorScheme: "light" });
});

test("U-204 the dock is sized by mouse and by key, and the desk keeps the size", async () => {
  const { page } = desk;
  const separator = page.getByRole("separator", { name: "Width of the agent dock" });
  const before = await widthOf(DOCK);
  const { x, y, height } = await separator.boundingBox();
  await page.mouse.move(x + 1, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 59, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await until("wider", async () => Math.abs((await widthOf(DOCK)) - before - 60) <= 2);
  await separator.press("ArrowRight");
  await until("a step narrower", async () => Math.abs((await widthOf(DOCK)) - before - 52) <= 2);
  const chosen = await widthOf(DOCK);
  await page.reload();
  await page.locator(DOCK).waitFor();
  await until("the same", async () => Math.abs((await widthOf(DOCK)) - chosen) <= 1);
});

test("U-204 U-208 a dock that is closed leaves its room to the main view, and keeps its draft", async () => {
  const { page, at } = desk;
  await at("composer").fill("half a sentence");
  const before = await widthOf("main");
  await page.keyboard.press("Control+j");
  await until("room for the main view", async () => (await widthOf("main")) > before + 250);
  await page.keyboard.press("Control+j");
  await until("the dock again", async () => (await widthOf("main")) === before);
  assert.equal(await at("composer").inputValue(), "half a sentence");
  await at("composer").fill("");
});

test("U-204 the parts of Overview and of World are sized by key, and a reset of the layout undoes it all", async () => {
  const { page, at } = desk;
  await goTo(page, "/overview");
  await page.locator(SCENE).waitFor();
  const overview = await widthOf(SCENE);
  await page.getByRole("separator", { name: "Width of the robot list" }).press("ArrowRight");
  await until("a narrower scene", async () => (await widthOf(SCENE)) === overview - 8);
  await goTo(page, "/world");
  await page.getByRole("separator", { name: "Size of the scene" }).waitFor();
  await page.locator(SCENE).waitFor();
  const heightOf = () => page.locator(SCENE).evaluate((element) => element.offsetHeight);
  const world = await heightOf();
  await tabTo(page, '[role="separator"][aria-label="Size of the scene"]');
  await page.keyboard.press("ArrowDown");
  await until("a higher scene", async () => (await heightOf()) === world + 8);
  await goTo(page, "/admin/appearance");
  await at("reset-layout").click();
  await until("the dock as at first", async () => Math.abs((await widthOf(DOCK)) - 344) <= 1);
  await goTo(page, "/overview");
  await page.locator(SCENE).waitFor();
  await until("the scene as at first", async () => (await widthOf(SCENE)) > overview);
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
