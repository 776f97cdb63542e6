// The runs of a mission and its history: read, opened, compared and restored, by pointer and keys.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const fileOf = (id) => join(server.folder, "agents/main/missions", `${id}.md`);
const textOf = (id) => readFile(fileOf(id), "utf8");
const FIRST = "---\ntitle: Look  # first\ngoals: [The bench is clear]\n---\nLook once.\n";

async function activate(id) {
  const { hash } = await server.call("get_mission", { mission_id: id });
  await server.call("activate_mission", { mission_id: id, hash });
}

test("ME-15 a mission without a run says so, and what runs now is its first row", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("look"), FIRST);
  await goTo(page, "/missions/look/runs");
  await at("mission-runs").getByText("No runs yet").waitFor();
  assert.deepEqual(await findings(page), []);
  await until("it is known", () => server.call("get_mission", { mission_id: "look" }).catch(() => null));
  await activate("look");
  await at("run-1").getByText("Running").waitFor();
  assert.match(await at("run-1").textContent(), /0 of 1/);
});

test("ME-15 a row opens its goals by pointer and by key", async () => {
  const { page, at } = desk;
  await at("run-1").click();
  await at("run-goals-of-1").getByText("“The bench is clear”").waitFor();
  assert.match(await at("run-goals-of-1").textContent(), /Started at once/);
  await at("run-open-1").press("Enter");
  await at("run-goals-of-1").waitFor({ state: "detached" });
  await server.call("complete_mission", { mission_id: "look", goal: 1 });
  await at("run-1").getByText("Done").waitFor();
  await at("run-open-1").press("Enter");
  await at("run-goals-of-1").getByText("done", { exact: true }).waitFor();
  assert.deepEqual(await findings(page), []);
});

test("ME-14 each step is a sentence with its author and its reason", async () => {
  const { page, at } = desk;
  await activate("look");
  await server.call("pause_mission", { mission_id: "look", reason: "belt changed" });
  await page.getByRole("tab", { name: "History" }).click();
  await page.waitForURL(/#\/missions\/look\/history$/);
  await at("mission-steps")
    .getByText(/^Paused by .*: belt changed/)
    .waitFor();
  const steps = await at("mission-steps").locator("li").allTextContents();
  assert.deepEqual(
    steps.map((step) => step.split(/[ :]/)[0]),
    ["Paused", "Activated", "Completed", "Activated"],
  );
  assert.deepEqual(await findings(page), []);
});

test("ME-14 ME-06 an earlier text is compared with the file and restored, and the undo gives the bytes back", async () => {
  const { page, at } = desk;
  const second = FIRST.replace("Look once.", "Look twice.");
  await writeFile(fileOf("look"), second);
  const earlier = await until("both texts are kept", async () => {
    const { versions } = await server.call("mission_history", { mission_id: "look" });
    return versions.length === 2 ? versions.find((version) => !version.is_draft) : null;
  });
  const name = earlier.hash.slice(0, 8);
  await at(`compare-${name}`).click();
  const compared = at("mission-compare");
  await compared.getByText("Look once.").waitFor();
  await compared.getByText("Look twice.").waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Escape");
  await at(`restore-${name}`).press("Enter");
  await until("it is restored", async () => (await textOf("look")) === FIRST);
  await at("mission-look").focus();
  await page.keyboard.press("Control+Z");
  await until("its undo", async () => (await textOf("look")) === second);
});

test("ME-13 a compared text shows what nobody sees as marks with their code and kind", async () => {
  const { page, at } = desk;
  const before = await textOf("look");
  const versions = async () => (await server.call("mission_history", { mission_id: "look" })).versions;
  await writeFile(fileOf("look"), `${before.trimEnd()}\u200b \u202ehere\u202c\u00a0now  \r\n`);
  const earlier = await until("an earlier text", async () => (await versions()).find(({ is_draft }) => !is_draft));
  await at(`compare-${earlier.hash.slice(0, 8)}`).click();
  const marks = at("mission-compare").locator(".hidden-mark");
  await marks.first().waitFor();
  assert.deepEqual(await marks.allTextContents(), ["U+200B", "U+202E", "U+202C", "U+00A0", "␣␣", "CR LF"]);
  assert.equal(await marks.nth(1).getAttribute("aria-label"), "U+202E, reversed reading direction");
  assert.match((await at("compare-hidden").textContent()) ?? "", /CR LF Windows line endings/);
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Escape");
  await writeFile(fileOf("look"), before);
});

for (const theme of ["light", "dark"]) {
  for (const tab of ["runs", "history"]) {
    test(`U-2001 no serious finding on ${tab} of a mission in the ${theme} theme`, async () => {
      const other = await openDesk(browser, server, { route: `/missions/look/${tab}`, theme });
      await other.at(tab === "runs" ? "run-1" : "mission-steps").waitFor();
      assert.deepEqual(await findings(other.page), []);
      assertClean(other);
      await other.close();
    });
  }
}

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
