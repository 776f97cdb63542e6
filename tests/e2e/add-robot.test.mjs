// A robot is added in the window by its manifest, and one that is wrong is refused where it is wrong.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { findings, goTo, openBrowser, openDesk, picture } from "./desk.mjs";
import { startServer } from "./server.mjs";

const MANIFEST = "crates/gate/examples/rover-9.toml";

let browser, server, desk;

before(async () => {
  browser = await openBrowser();
  server = await startServer();
  desk = await openDesk(browser, server);
});
after(async () => {
  await browser?.close();
  await server?.end();
});

test("RG-41 a wrong manifest is refused with its line before anything is added", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/connections");
  await page.getByText("Add a robot below, by its manifest.").waitFor();
  const text = await readFile(MANIFEST, "utf8");
  const wrong = text.replace('supervision = "required"', 'supervision = "sometimes"');
  const line = wrong.split("\n").findIndex((written) => written.includes("sometimes")) + 1;
  await at("manifest-text").fill(wrong);
  await page.getByText(`line ${line}:`, { exact: false }).waitFor();
  assert.equal(await at("robot-add").isDisabled(), true);
  assert.equal(await at("manifest-facts").count(), 0);
});

test("RG-41 a manifest that was chosen says what it means, and its robot is there once it is added", async () => {
  const { page, at } = desk;
  await at("manifest-file").setInputFiles(MANIFEST);
  const facts = at("manifest-facts");
  await facts.getByText("lab / rover-9").waitFor();
  await facts.getByText(/0\.50 m\/s, 1\.00 rad\/s/).waitFor();
  await facts.getByText(/red button on the mast/).waitFor();
  await picture(page, "add-manifest", page.getByText("Add a robot", { exact: true }));
  for (const [theme, width, height] of [
    ["light", 1280, 800],
    ["dark", 1440, 900],
  ]) {
    const other = await openDesk(browser, server, { route: "/admin/connections", theme });
    await other.page.setViewportSize({ width, height });
    await other.at("manifest-file").setInputFiles(MANIFEST);
    await other.at("manifest-facts").waitFor();
    assert.deepEqual(await findings(other.page), [], `${theme} ${width}`);
    await other.close();
  }
  await at("robot-add").press("Enter");
  await page.getByText("rover-9 was added. It is disarmed.").waitFor();
  await page.waitForURL(/\/safety\/rover-9$/);
  await page
    .getByText(/red button on the mast/)
    .first()
    .waitFor();

  await goTo(page, "/admin/connections");
  await at("connection-rover-9").getByText("never").waitFor();
  await at("manifest-file").setInputFiles(MANIFEST);
  await page.getByText("There is already a robot rover-9.").waitFor();
  assert.equal(await at("robot-add").isDisabled(), true);
});
