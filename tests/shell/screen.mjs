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

/** Presses the pointer in a window, at a place from its corner. */
export const clickIn = (window, x, y) => run("xdotool", ["mousemove", "--window", window, x, y, "click", "1"].map(String));

/** Gives a window the keyboard and presses a key in it. */
export const pressIn = (window, key) => run("xdotool", ["windowfocus", "--sync", window, "key", key]);
