// The keyboard, the pointer and the windows of the X screen, beside the page and its driver.
import { execFile } from "node:child_process";
import { isDeepStrictEqual, promisify } from "node:util";
import { until } from "./window.mjs";

const run = promisify(execFile);

/** Presses keys as if on the keyboard, whatever has the focus. */
export const press = (keys) => run("xdotool", ["key", keys]);

/** Ids of the windows with this title on the screen. */
export async function windows(title) {
  // Without one it ends with an error and says nothing.
  const { stdout } = await run("xdotool", ["search", "--onlyvisible", "--name", title]).catch(() => ({ stdout: "" }));
  return stdout.split("\n").filter(Boolean);
}

/** Presses the pointer in a window, at shares of its width and height, once the window stands still. */
export async function clickIn(window, across, down) {
  const geometry = await until("the window stands still", async () => {
    const [before, now] = [await geometryOf(window), await geometryOf(window)];
    return isDeepStrictEqual(before, now) && now;
  });
  const place = [across * geometry.WIDTH, down * geometry.HEIGHT].map((part) => String(Math.round(part)));
  await run("xdotool", ["mousemove", "--sync", "--window", window, ...place, "click", "1"]);
}

async function geometryOf(window) {
  const { stdout } = await run("xdotool", ["getwindowgeometry", "--shell", window]);
  return Object.fromEntries([...stdout.matchAll(/^(\w+)=(-?\d+)$/gm)].map(([, name, value]) => [name, Number(value)]));
}

/** Puts a window somewhere else; without a window manager all of them open in the same corner. */
export const moveTo = (window, x, y) => run("xdotool", ["windowmove", "--sync", window, String(x), String(y)]);

/** The dialog that says that the page hangs. Its buttons stand side by side at its lower edge, each a third wide. */
export const DIALOG = {
  stopAll: [1 / 6, 0.9],
  restart: [3 / 6, 0.9],
  find: async () => (await windows("screen frozen"))[0],
  shown: () => until("the dialog", DIALOG.find),
};
