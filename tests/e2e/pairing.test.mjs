// A gate is paired in the window: the person compares six digits, and the robot is there.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { findings, goTo, openBrowser, openDesk, picture } from "./desk.mjs";
import { startServer } from "./server.mjs";

const GATE = join(dirname(process.env.QUARTERDECK_SERVER ?? "target/debug/quarterdeck-server"), "quarterdeck-gate");

let browser, server, desk, folder;

before(async () => {
  browser = await openBrowser();
  server = await startServer();
  desk = await openDesk(browser, server);
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-gate-"));
  await copyFile("crates/gate/examples/rover-9.toml", join(folder, "rover-9.toml"));
  const { zenoh_endpoints } = await server.call("session_info");
  const wiring = `robot = "rover-9"\nplacement = "beside"\nstation = { endpoint = "${zenoh_endpoints[0]}" }\n[exec]\ncommand = ["true"]\n`;
  await writeFile(join(folder, "gate.toml"), wiring);
});
after(async () => {
  await browser?.close();
  await server?.end();
  await rm(folder, { recursive: true, force: true });
});

/** `quarterdeck-gate pair` at a terminal, once it shows its digits. */
async function pair() {
  const gate = spawn(GATE, ["pair", "--config", join(folder, "gate.toml")], { stdio: ["pipe", "pipe", "inherit"] });
  for await (const line of createInterface({ input: gate.stdout })) {
    const shown = /show (\d{3} \d{3})/.exec(line);
    if (shown) return { gate, digits: shown[1] };
  }
  throw new Error("the gate has shown no digits");
}

const ended = (gate) =>
  new Promise((resolve) => (gate.exitCode === null ? gate.once("exit", resolve) : resolve(gate.exitCode)));

test("RG-34 digits that differ end the pairing at both sides, and it says so", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/connections");
  await at("pairing-open").click();
  await page.getByText("quarterdeck-gate pair --config gate.toml").waitFor();
  const { gate, digits } = await pair();
  await at("pairing-digits").getByText(digits).waitFor();
  await page.getByText("They do not match").click();
  await at("pairing-open").waitFor();
  assert.equal(await ended(gate), 1);
});

test("RG-34 equal digits, confirmed at both sides, add the robot; the keyboard is enough", async () => {
  const { page, at } = desk;
  await at("pairing-open").press("Enter");
  const { gate, digits } = await pair();
  await at("pairing-digits").getByText(digits).waitFor();
  await at("manifest-facts").first().getByText("lab / rover-9").waitFor();
  await picture(page, "pair-gate", page.getByText("Pair a gate").first());
  for (const [theme, width, height] of [
    ["light", 1280, 800],
    ["dark", 1440, 900],
  ]) {
    const other = await openDesk(browser, server, { route: "/admin/connections", theme });
    await other.page.setViewportSize({ width, height });
    await other.at("pairing-digits").waitFor();
    assert.deepEqual(await findings(other.page), [], `${theme} ${width}`);
    await other.close();
  }
  await at("pairing-confirm").press("Enter");
  await page.getByText("Confirmed here").waitFor();
  gate.stdin.write("yes\n");
  await page.getByText("rover-9 is paired").waitFor();
  assert.equal(await ended(gate), 0);
  await at("connection-rover-9").getByText("never").waitFor();
  await page.getByRole("button", { name: "Show rover-9" }).press("Enter");
  await page.waitForURL(/\/safety\/rover-9$/);
});
