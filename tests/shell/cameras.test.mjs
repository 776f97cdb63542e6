// Pictures of cameras in the real window: its own transport carries their bytes, and its own engine decodes them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openWindow, until } from "./window.mjs";

let page;
let close;

before(async () => {
  ({ page, close } = await openWindow());
});
after(async () => close?.());

/** The pixels of a pane's picture as one number; 0 while nothing was drawn. */
const pixels = (pane) =>
  page.browser.execute((id) => {
    const canvas = document.querySelector(`[data-testid="${id}"] canvas`);
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height).data.reduce((sum, byte, at) => (sum + byte * ((at % 251) + 1)) % 1_000_003, 0);
  }, pane);

test("U-406 pictures of both forms are drawn, and change", async () => {
  await page.browser.execute(() => location.replace("#/world/cameras"));
  for (const pane of ["camera-arm-1-cell", "camera-rover-1-front"]) {
    await page.shown(pane);
    await until(`${pane} has a picture`, async () => (await page.text(pane)).includes("320 × 240"));
    const first = await pixels(pane);
    await until(`${pane} shows another picture`, async () => (await pixels(pane)) !== first);
  }
});

test("U-1108 a picture that is lost says so", async () => {
  const faulted = await page.ask("inject_fault", { target: "arm-1", fault: "silent_camera", on: true });
  assert.equal(faulted.refusal, undefined, JSON.stringify(faulted));
  await until("the pane says since when", async () => /Picture lost \d+ s ago/.test(await page.text("camera-arm-1-cell")));
  assert.notEqual(await pixels("camera-arm-1-cell"), 0, "the last picture stays");
});
