// The form of a mission: each key changed by pointer and keys, saved at once into its own bytes, and undone.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { assertClean, findings, goTo, openDesk } from "./desk.mjs";
import { until } from "./server.mjs";
import { browser, desk, server } from "./site.mjs";

const fileOf = (id) => join(server.folder, "agents/main/missions", `${id}.md`);
const textOf = (id) => readFile(fileOf(id), "utf8");
const FIRST =
  "---\ntitle: 'First'  # the first\nrobots: [rover-1]\ngoals:\n  - Look  # well\n  - {wait_secs: 5}\n---\nLook.\r\n";
const becomes = (id, text) => until(`the file of ${id} says so`, async () => (await textOf(id)) === text);

/** Types into a field and leaves it. */
async function type(at, testId, text) {
  await at(testId).fill(text);
  await at(testId).press("Enter");
}

test("ME-07 a field is saved by Enter into its own bytes, put back by Esc, and undone", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("first"), FIRST);
  await writeFile(fileOf("second"), "Look.\n");
  await goTo(page, "/missions/first/form");
  await at("form-title").waitFor();
  assert.equal(await at("form-title").inputValue(), "First");
  await at("form-title").fill("Other");
  await at("form-title").press("Escape");
  assert.equal(await at("form-title").inputValue(), "First");
  assert.equal(await textOf("first"), FIRST);
  await type(at, "form-title", "Second look");
  await becomes("first", FIRST.replace("'First'", "'Second look'"));
  await at("graph-undo").click();
  await becomes("first", FIRST);
  assert.deepEqual(await findings(page), []);
});

test("ME-07 goals are added, changed, moved by key and by dragging, and removed", async () => {
  const { at } = desk;
  await at("form-goals-add").click();
  await becomes("first", FIRST.replace("{wait_secs: 5}\n", "{wait_secs: 5}\n  - Say what is to be true.\n"));
  await type(at, "form-goals-3-goal", "The bench is clear");
  await becomes("first", FIRST.replace("{wait_secs: 5}\n", "{wait_secs: 5}\n  - The bench is clear\n"));
  await at("form-goals-3-move").press("ArrowUp");
  const moved = FIRST.replace("  - {wait_secs: 5}\n", "  - The bench is clear\n  - {wait_secs: 5}\n");
  await becomes("first", moved);
  await until("the handle has moved with it", () =>
    desk.page.evaluate(() => document.activeElement?.getAttribute("data-testid") === "form-goals-2-move"),
  );
  await at("form-goals-3-move").dragTo(at("form-goals-1-goal"));
  await until("it is first", async () => /goals:\n {2}- \{wait_secs: 5\}\n {2}- Look/.test(await textOf("first")));
  await at("form-goals-1-remove").press("Enter");
  await until("it is gone", async () => !(await textOf("first")).includes("wait_secs"));
  await at("form-goals-1-kind").selectOption("wait_secs");
  await until("its kind", async () => /- \{wait_secs: 60\}/.test(await textOf("first")));
});

test("ME-07 what is wrong is told at its field in the station's words, and mended there", async () => {
  const { page, at } = desk;
  await type(at, "form-expires", "soon");
  await at("form-expires-problem").waitFor();
  assert.match(await textOf("first"), /expires: soon\n/);
  await type(at, "form-expires", "8h");
  await at("form-expires-problem").waitFor({ state: "detached" });
  await type(at, "form-expires", "");
  await until("the key is gone", async () => !(await textOf("first")).includes("expires"));
  assert.deepEqual(await findings(page), []);
});

test("ME-07 names, triggers, conditions, limits and the answer to a failure each change their key", async () => {
  const { at } = desk;
  await at("form-depends_on-add").selectOption("second");
  await until("depends_on", async () => /depends_on: \[second\]/.test(await textOf("first")));
  await at("form-depends_on-second-remove").click();
  await until("depends_on is empty", async () => /depends_on: \[\]/.test(await textOf("first")));
  await at("form-robots-add").selectOption("rover-2");
  await until("robots", async () => /robots: \[rover-1, rover-2\]/.test(await textOf("first")));
  await at("form-triggers-add").click();
  await at("form-triggers-1-kind").selectOption("cron");
  await type(at, "form-triggers-1-cron", "0 22 * * *");
  await until("triggers", async () => /triggers: \[\{cron: "0 22 \* \* \*"\}\]/.test(await textOf("first")));
  await at("form-preconditions-add").click();
  await type(at, "form-preconditions-1-rule", "rover-1.battery > 30");
  await until("preconditions", async () => /rover-1\.battery > 30/.test(await textOf("first")));
  await at("form-constraints-add").click();
  await type(at, "form-constraints-1-params", "0.25");
  await until("limits", async () => /\{type: max_velocity, params: 0\.25\}/.test(await textOf("first")));
  await at("form-constraints-1-remove").click();
  await until("no limits", async () => !(await textOf("first")).includes("constraints"));
  await at("form-failure").getByLabel("If it fails").selectOption("retry");
  await until("on_failure", async () =>
    /on_failure: \{retry: \{delay_secs: 30, times: 2\}\}/.test(await textOf("first")),
  );
  assert.ok((await textOf("first")).endsWith("---\nLook.\r\n"), "the text below is untouched");
});

test("ME-07 every other key has its field, in a group that says what it is about, and is undone", async () => {
  const { page, at } = desk;
  const before = "---\nrobots: [rover-1]  # one\n---\nWatch.\n";
  const third = (key) => before.replace("# one\n", `# one\n${key}\n`);
  await writeFile(fileOf("third"), before);
  await goTo(page, "/missions/third/form");
  // The next change is made of what the window shows: it has to be the file that was given back.
  const undone = async (isBack) => {
    await page.locator('[data-testid="graph-undo"]:enabled').click();
    await becomes("third", before);
    await until("the form shows it", isBack);
  };
  const value = (field, is) => async () => (await field.inputValue()) === is;
  const [approval, parent] = ["approval", "parent"].map((key) => at(`form-${key}`).getByRole("combobox"));
  await page.getByRole("region", { name: "Approvals and money" }).getByLabel("Steps that move a robot").waitFor();
  await approval.selectOption("activation");
  await becomes("third", third("approval: activation"));
  await undone(value(approval, "ask"));
  await parent.selectOption("second");
  await becomes("third", third("parent: second"));
  await undone(value(parent, ""));
  for (const [key, typed, written] of [
    ["budget_usd", "2.5", "2.5"],
    ["time_zone", "Europe/Berlin", "Europe/Berlin"],
    ["completes_when", "rover-1.battery > 90", "rover-1.battery > 90"],
  ]) {
    await type(at, `form-${key}`, typed);
    await becomes("third", third(`${key}: ${written}`));
    await undone(value(at(`form-${key}`), ""));
  }
  for (const [key, part] of [
    ["resources", /^resources: \[rover-1\/\w+\]$/m],
    ["providers", /^providers: \[\{topic_pattern: /m],
    ["alerts", /^alerts: \[\{predicate: key = 1\}\]$/m],
    ["schedule", /^schedule: \[\{/m],
    ["envelope", /^envelope: \[\{operation: send_command, robot: rover-1, /m],
  ]) {
    await at(`form-${key}-add`).press("Enter");
    await until(`an entry of ${key}`, async () => part.test(await textOf("third")));
    await undone(async () => (await at(`form-${key}-1-move`).count()) === 0);
  }
  await at("form-fallbacks-add").selectOption("link");
  await becomes("third", third("fallbacks: {link: [alert_agent]}"));
  await at("form-fallbacks-link-alert_agent-remove").press("Enter");
  await becomes("third", before);
  assert.deepEqual(await findings(page), []);
});

test("ME-07 what the compiler refuses is told at its field", async () => {
  const { at } = desk;
  await type(at, "form-budget_usd", "2000");
  await at("form-budget_usd-problem").waitFor();
  await type(at, "form-budget_usd", "");
  await at("form-budget_usd-problem").waitFor({ state: "detached" });
  await at("form-resources-add").click();
  await type(at, "form-resources-1-path", "rover-1/wing");
  await at("form-resources-problem").waitFor();
  await at("form-resources-1-hold").selectOption("command");
  await until("around each command", async () =>
    /path: rover-1\/wing, hold: command|hold: command, path: rover-1\/wing/.test(await textOf("third")),
  );
  await at("form-resources-1-remove").click();
  await until("the key is gone", async () => !(await textOf("third")).includes("resources"));
});

test("ME-07 what is no front matter has no form, and an entry of no known kind is shown as it is", async () => {
  const { page, at } = desk;
  await writeFile(fileOf("odd"), "---\ngoals: [{jump: 3}]\n---\n");
  await goTo(page, "/missions/odd/form");
  await at("form-goals").getByText('{"jump":3}').waitFor();
  await at("form-goals-problem").waitFor();
  await writeFile(fileOf("odd"), "---\ngoals: [\n---\n");
  await page.getByText("The front matter cannot be read").waitFor();
});

for (const theme of ["light", "dark"]) {
  test(`U-2001 no serious finding on the form in the ${theme} theme`, async () => {
    const other = await openDesk(browser, server, { route: "/missions/security-patrol/form", theme });
    await other.at("mission-form").waitFor();
    assert.deepEqual(await findings(other.page), []);
    assertClean(other);
    await other.close();
  });
}

test("U-110 the window spoke to its station only, within its policy and without an error", () => assertClean(desk));
