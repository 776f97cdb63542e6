// The commissioning of a robot behind its gate, by keyboard alone: what is missing, a held step, and its figures.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClean, findings, goTo, openBrowser, openDesk, picture, tabTo } from "./desk.mjs";
import { startRover } from "./rover.mjs";
import { until } from "./server.mjs";

let rover;
let browser;
let desk;

before(async () => {
  rover = await startRover();
  browser = await openBrowser();
  desk = await openDesk(browser, rover.server);
});
after(async () => {
  await browser?.close();
  await rover?.end();
});

const outcome = (step) => desk.at(`step-${step}`).getAttribute("data-outcome");

/**
 * Holds Space on the button of a step until it has a result. A busy machine calls too seldom, and the step is broken off, as
 * it has to be: then the button says so, and a person presses again.
 */
async function hold(step) {
  const { keyboard } = desk.page;
  await tabTo(desk.page, `[data-testid="hold-${step}"]`);
  await keyboard.down("Space");
  await until(`a result of ${step}`, async () => {
    if ((await outcome(step)) !== "none") return true;
    const [told] = await desk.at(`told-${step}`).allTextContents();
    if (!told) return false;
    await keyboard.up("Space");
    await desk.page.locator(`[data-testid="hold-${step}"]:enabled`).focus();
    await keyboard.down("Space");
    return false;
  });
  await keyboard.up("Space");
}

test("rg_11 the page of a robot leads to its commissioning, which says what the gate says", async () => {
  await goTo(desk.page, "/safety/rover-9");
  await desk.at("open-commissioning").click();
  await desk.at("commissioning-page").waitFor();
  assert.equal(await desk.at("commissioning-standing").getAttribute("data-missing"), "axis_x");
  const facts = await desk.at("gate-facts").textContent();
  for (const words of [
    "the integrator's program",
    "a cut between this computer and the robot",
    "not measured",
    "base",
  ]) {
    assert.ok(facts.includes(words), `${words}: ${facts}`);
  }
  assert.equal(await desk.at("hold-axis_x").isDisabled(), true, "nothing moves before somebody stands at the stop");
  assert.equal(await desk.at("begin-commissioning").isDisabled(), true);
  assert.deepEqual(await findings(desk.page), []);
});

test("rg_31 a step is run by holding Space, and its measured speed stands beside the commanded one", async () => {
  await tabTo(desk.page, '[data-testid="at-hardware-stop"]');
  await desk.page.keyboard.press("Space");
  await tabTo(desk.page, '[data-testid="begin-commissioning"]');
  await desk.page.keyboard.press("Enter");
  await until("the buttons", async () => await desk.at("hold-axis_x").isEnabled());
  await hold("axis_x");
  assert.equal(await outcome("axis_x"), "passed");
  await desk.at("step-axis_x").getByRole("img").waitFor();
  await desk.page.locator('[data-testid="commissioning-standing"][data-missing="axis_y"]').waitFor();
  await hold("stop_from_speed");
  assert.match(await desk.at("step-stop_from_speed").textContent(), /\d+ ms of at most [\d,]+ ms/);
  await picture(desk.page, "commission-robot");
  assert.deepEqual(await findings(desk.page), []);
});

test("rg_30 letting go breaks a step off, and ending disarms the robot, which stays uncommissioned", async () => {
  await tabTo(desk.page, '[data-testid="hold-axis_y"]');
  await desk.page.keyboard.down("Space");
  await until("the step runs", async () => /Moving/.test((await desk.at("step-axis_y").textContent()) ?? ""));
  await desk.page.keyboard.up("Space");
  await desk.at("step-axis_y").getByText("Interrupted").waitFor();
  await tabTo(desk.page, '[data-testid="end-commissioning"]');
  await desk.page.keyboard.press("Enter");
  await desk.at("at-hardware-stop").waitFor();
  const status = await rover.server.call("safety_status");
  const row = status.robots.find(({ robot }) => robot === "rover-9");
  assert.match(row.arming_problem, /not commissioned/);
  // A call that was under way when the button was let go is refused: the step was broken off.
  const others = desk.problems.filter((problem) => !/409.*run_commissioning_step/.test(problem));
  assertClean({ ...desk, problems: others });
});
