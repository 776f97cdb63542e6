// Settings: providers, keys that never come back, agents, tool servers, budget – and missions.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertClean, findings, goTo, holdSpace, openDesk, tabTo } from "./desk.mjs";
import { MODEL, startModelServer } from "./model-server.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const SECRET = "sk-end-to-end-4711";

let model;

before(async () => {
  model = await startModelServer();
});
after(() => model?.end());

test("U-1702 FU-18 an Admin tries a provider with the keyboard before it is saved, adds and tests it", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/providers");
  await at("provider-add").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Kind" }).selectOption("openai_compatible");
  await at("provider-id").fill("box");
  await at("provider-base").fill(model.base);
  await at("provider-local").check();
  await tabTo(page, '[data-testid="provider-try"]');
  await page.keyboard.press("Enter");
  await at("provider-tried").getByText("lists 1 model").waitFor();
  assert.deepEqual(await findings(page), []);
  await tabTo(page, `[data-testid="offer-${MODEL}"]`);
  await page.keyboard.press("Enter");
  assert.equal(await at("provider-models").inputValue(), MODEL);
  await tabTo(page, '[data-testid="provider-save"]');
  await page.keyboard.press("Enter");
  await at("model-provider-box").waitFor();
  await at("test-box").click();
  await at("tested-box").getByText(`${MODEL} answers`).waitFor();
});

test("U-1701 ATT-21 a key goes in once; the page holds its last four characters and nothing else of it", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/keys");
  await at("key-name").fill("box");
  await at("key-value").fill(SECRET);
  await at("key-session-only").check();
  await at("key-save").click();
  await at("key-kept").waitFor();
  await at("key-box").getByText("…4711").waitFor();
  assert.equal(await at("key-value").inputValue(), "");
  const held = await page.evaluate(
    () => document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }),
  );
  assert.ok(!held.includes(SECRET));
});

test("M-01 an agent is given a model, and the header says what answers now", async () => {
  const { page, at } = desk;
  await goTo(page, "/admin/agents");
  await page.getByRole("combobox", { name: "Provider", exact: true }).selectOption("box");
  await page.getByRole("combobox", { name: "Model" }).selectOption(MODEL);
  await at("select-model").click();
  await at("agent-model").getByText(MODEL).waitFor();
  await page.getByRole("combobox", { name: "Provider", exact: true }).selectOption("");
  await at("select-model").click();
  await at("agent-model").getByText("Command interpreter – not a language model").waitFor();
});

test("P-14 a person sets how far the agent may go", async () => {
  await desk.at("agent-mode").selectOption("watch");
  await until("the mode as the station says it", async () => (await desk.at("agent-mode").inputValue()) === "watch");
  assert.equal((await server.call("list_agents"))[0].mode, "watch");
  await server.call("set_mode", { mode: "ask" });
  await until("the mode again", async () => (await desk.at("agent-mode").inputValue()) === "ask");
});

test("U-1009 U-1010 a mission is read, activated, paused and cancelled", async () => {
  const { page, at } = desk;
  await goTo(page, "/missions/maintenance-check/text");
  await at("mission-text").waitFor();
  await at("activate_mission").click();
  await at("activation-reason").fill("night shift");
  await page.locator('[data-testid="activation-yes"]:enabled').click();
  await at("mission-said")
    .getByText(/activated/)
    .waitFor();
  await at("pause_mission").click();
  await at("mission-said")
    .getByText(/paused/)
    .waitFor();
  await at("cancel_mission").click();
  await page.locator('[data-testid="mission-end-yes"]:enabled').click();
  await at("mission-state").getByText("cancelled").waitFor();
});

test("ME-09 ME-13 a text with warnings is activated once each of them is accepted", async () => {
  const { page, at } = desk;
  const file = join(server.folder, "agents/main/missions/watch-arm.md");
  const limit = "{type: max_velocity, params: 0.2}";
  await writeFile(
    file,
    `---\nrobots: [arm-1]\nconstraints: [${limit}]\ntriggers: [{at: 2122-01-01T00:00:00Z}]\n---\nWatch.\n<!-- now -->\n`,
  );
  await goTo(page, "/missions/watch-arm");
  await at("mission-problems")
    .getByText("This mission has no goals, so that a trigger that fires once starts nothing.")
    .waitFor();
  assert.ok(await at("activate_mission").isDisabled());
  await at("mission-problems").getByRole("button", { name: "4:1" }).click();
  await page.locator('[data-line="4"]:focus').waitFor();
  await writeFile(file, `---\nrobots: [arm-1]\nconstraints: [${limit}]\n---\nWatch.\n<!-- now -->\n`);
  await page.locator('[data-testid="activate_mission"]:enabled').click();
  await at("activation-changes").getByText("Adds a limit on arm-1").waitFor();
  assert.ok(await at("activation-yes").isDisabled());
  assert.deepEqual(await findings(page), []);
  await at("accept-hidden_text-6").check();
  await page.locator('[data-testid="activation-yes"]:enabled').click();
  await at("mission-state").getByText("active").waitFor();
});

test("ML-25 ME-13 what a mission asks for is ticked by mouse and by key, and nothing of it is ticked before", async () => {
  const { page, at } = desk;
  const of = "robot: arm-1, actuator: arm, operation: send_command, speed_mps_max: 0.1, force_n_max: 5";
  const envelope = `[{${of}, count: 3, hours: 1}, {${of}, count: 2, hours: 2}]`;
  const file = join(server.folder, "agents/main/missions/carry.md");
  await writeFile(file, `---\nrobots: [arm-1]\nenvelope: ${envelope}\n---\nCarry.\n`);
  await goTo(page, "/missions/carry");
  const warnings = async () => {
    for (const box of await page.locator('[data-testid="activation-warnings"] input').all()) await box.check();
  };
  await page.locator('[data-testid="activate_mission"]:enabled').click();
  await at("activation-envelope").getByText("3 motions of arm-1/arm in 1 h, at most 0.1 m/s and 5 N").waitFor();
  assert.deepEqual([await at("grant-1").isChecked(), await at("grant-2").isChecked()], [false, false]);
  assert.deepEqual(await findings(page), []);
  await warnings();
  await at("grant-1").check();
  await page.locator('[data-testid="activation-yes"]:enabled').click();
  await at("mission-said").getByText("Mission carry activated").waitFor();
  const grants = async () => (await server.call("list_standing_approvals")).map(({ count }) => count);
  assert.deepEqual(await grants(), [3]);

  // The same text once more, by key: what is ticked takes the place of what was granted.
  await page.locator('[data-testid="activate_mission"]:enabled').press("Enter");
  await at("activation-envelope").getByText("3 motions of arm-1/arm in 1 h, at most 0.1 m/s and 5 N").waitFor();
  await warnings();
  await tabTo(page, '[data-testid="grant-2"]');
  await page.keyboard.press("Space");
  assert.ok(await at("grant-2").isChecked());
  await page.locator('[data-testid="activation-yes"]:enabled').focus();
  await holdSpace(page);
  await until("the second one alone", async () => (await grants()).join() === "2");
  await at("pause_mission").click();
  await until("nothing after a pause", async () => (await grants()).length === 0);
});

test("U-1010 a mission is called done with the keyboard alone", async () => {
  const { page, at } = desk;
  await goTo(page, "/missions/calibrate-arm");
  await page.locator('[data-testid="activate_mission"]:enabled').press("Enter");
  await page.locator('[data-testid="activation-yes"]:enabled').focus();
  await holdSpace(page);
  await page.locator('[data-testid="complete_mission"]:enabled').press("Enter");
  await page.locator('[data-testid="mission-end-yes"]:enabled').focus();
  await holdSpace(page);
  await at("mission-state").getByText("completed").waitFor();
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding in the settings in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { theme });
    for (const route of [
      "/admin/providers",
      "/admin/keys",
      "/admin/agents",
      "/admin/tools",
      "/admin/budget",
      "/missions",
      "/missions/calibrate-arm",
    ]) {
      await goTo(other.page, route);
      await other.page.locator("main table, main form, main h2").first().waitFor();
      assert.deepEqual(await findings(other.page), [], route);
    }
    assertClean(other);
    await other.close();
  });
}

test("U-1901 U-206 the sections stand in one list beside what they show, and are a choice at 200 % zoom", async () => {
  const other = await openDesk(browser, server, { route: "/admin/about" });
  const { page, at } = other;
  const list = at("admin-sections");
  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
    [1024, 700],
  ]) {
    await page.setViewportSize({ width, height });
    await until(`the list beside the section at ${width} px, every name in one line`, async () => {
      const [nav, section] = await Promise.all([list.boundingBox(), at("admin-section").boundingBox()]);
      const heights = await list.locator("a").evaluateAll((links) => links.map((link) => link.offsetHeight));
      return nav && section && nav.x + nav.width <= section.x && new Set(heights).size === 1;
    });
  }
  await list.getByRole("link", { name: "About" }).focus();
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await at("key-name").waitFor();
  await tabTo(page, '[data-testid="admin-section"]');
  await tabTo(page, '[data-testid="key-name"]');
  await page.setViewportSize({ width: 640, height: 400 });
  await list.waitFor({ state: "hidden" });
  const choice = page.getByRole("combobox", { name: "Section" });
  assert.equal(await choice.inputValue(), "keys");
  await choice.selectOption("simulator");
  await at("stop-simulator").waitFor();
  assert.deepEqual(await findings(page), []);
  assertClean(other);
  await other.close();
});

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
