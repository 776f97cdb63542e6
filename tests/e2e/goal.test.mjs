// A goal for one robot: placed on the scene, judged as it moves, and sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertClean, findings, goTo, tabTo } from "./desk.mjs";
import { until } from "./server.mjs";
import { desk, server } from "./site.mjs";

const ROVER = "rover-1";

/** The judgement of exactly the goal that is shown. */
async function judged(words) {
  await until(`a judgement ${words}`, async () => {
    const judgement = desk.at("goal-judgement");
    const isOfThis = (await judgement.getAttribute("data-of-this")) === "true";
    return isOfThis && words.test((await judgement.textContent()) ?? "");
  });
}

const coordinate = (axis) => desk.page.getByLabel(axis, { exact: true });

test("U-708 a goal is denied until the robot is controlled and armed, which is done beside it", async () => {
  await goTo(desk.page, `/safety/${ROVER}`);
  await desk.at("open-goal").click();
  await judged(/take control of rover-1 first/);
  assert.equal(await desk.at("goal-send").isDisabled(), true);
  assert.deepEqual(await findings(desk.page), []);
  await desk
    .at(`control-acts-${ROVER}`)
    .getByRole("button", { name: /Take control/ })
    .click();
  await desk.at(`arm-${ROVER}`).click();
  await judged(/^ ?Allowed/);
  await until("the button", async () => await desk.at("goal-send").isEnabled());
});

test("U-708 a press on the scene places the goal, keys move it, and a limit that denies it is named", async () => {
  const before = await coordinate("x").inputValue();
  const { x, y, width, height } = await desk.at("goal-scene").boundingBox();
  await desk.page.mouse.click(x + width * 0.6, y + height * 0.45);
  await until("another place", async () => (await coordinate("x").inputValue()) !== before);
  await judged(/^ ?Allowed/);

  const placed = Number(await coordinate("x").inputValue());
  await tabTo(desk.page, '[data-testid="handle-goal"]');
  await desk.page.keyboard.press("ArrowRight");
  await until("a step", async () => Math.abs(Number(await coordinate("x").inputValue()) - placed - 0.05) < 0.006);

  await coordinate("x").fill("40");
  await judged(/^ ?Denied/);
  assert.equal(await desk.at("goal-send").isDisabled(), true);
  assert.match(await desk.at("goal-page").getByRole("table").textContent(), /Workspace/);
  assert.deepEqual(await findings(desk.page), []);

  await coordinate("x").fill("there");
  await desk.page.getByText("Enter a number.").waitFor();
  assert.equal(await desk.at("goal-send").isDisabled(), true);
});

test("U-708 the robot goes where it was sent", async () => {
  await coordinate("x").fill("0.3");
  await coordinate("y").fill("0");
  await judged(/^ ?Allowed/);
  await desk.at("goal-send").click();
  await until("the robot at its goal", async () => {
    const robots = await server.call("list_robots");
    const { pose } = robots.find(({ id }) => id === ROVER);
    return Math.abs(pose.position_m[0] - 0.3) < 0.05;
  });
  assert.doesNotMatch(await desk.at("goal-told").textContent(), /Denied/);
  assertClean(desk);
});
