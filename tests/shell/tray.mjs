// Reads and presses the app's icon in the tray, as a desktop does.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Debian's own Python, which Debian's D-Bus module is for. */
const PYTHON = "/usr/bin/python3";

/** A tray on the session's bus; the app has to start after it. */
export async function openTray() {
  const child = spawn(PYTHON, [fileURLToPath(new URL("tray.py", import.meta.url))], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the tray has ended");
    return JSON.parse(value);
  };
  await next();

  const ask = (question) => {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    return next();
  };
  return {
    /** What stands beside the icon, and the lines of its menu; the first is the state. */
    look: async () => {
      const { label = "", lines: menu = [] } = await ask({ do: "look" });
      return { label, state: menu[0]?.text ?? "", enabled: menu.filter(({ enabled }) => enabled).map(({ text }) => text) };
    },
    click: (item) => ask({ do: "click", item }),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
