// The keyboard, the pointer and the windows of the X screen, beside the page and its driver.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Presses keys as if on the keyboard, whatever has the focus. */
export const press = (keys) => run("xdotool", ["key", keys]);

/** Ids of the windows with this title on the screen. */
export async function windows(title) {
  // Without one it ends with an error and says nothing.
  const { stdout } = await run("xdotool", ["search", "--onlyvisible", "--name", title]).catch(() => ({ stdout: "" }));
  return stdout.split("\n").filter(Boolean);
}

/** Presses the pointer in a window, at shares of its width and height. */
export async function clickIn(window, across, down) {
  const { stdout } = await run("xdotool", ["getwindowgeometry", "--shell", window]);
  const size = (name) => Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(stdout)?.[1]);
  const place = [across * size("WIDTH"), down * size("HEIGHT")].map((part) => String(Math.round(part)));
  await run("xdotool", ["mousemove", "--sync", "--window", window, ...place, "click", "1"]);
}

/** Puts a window somewhere else; without a window manager all of them open in the same corner. */
export const moveTo = (window, x, y) => run("xdotool", ["windowmove", "--sync", window, String(x), String(y)]);
