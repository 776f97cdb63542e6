import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Blocker } from "../../generated/bindings/Blocker";
import { fakeStation, renderWith } from "../../testing/station";
import { robotRow } from "../../testing/fixtures";
import { WhyIdle } from "./WhyIdle";

const blocker = (change: Partial<Blocker>): Blocker => ({
  code: "state",
  blocks: "everyone",
  cause: null,
  sentence: "arm-1 is disarmed.",
  cleared_by: "Arm it.",
  who: "an operator",
  ...change,
});

const show = (blockers: Blocker[]) =>
  renderWith(
    fakeStation({ why_idle: { robot: "arm-1", blockers } }),
    <WhyIdle robot={robotRow({ id: "arm-1" })} otherwise={<p>not asked yet</p>} />,
  );

it("a tile says what keeps its robot from moving, what ends that, who may, and how much else there is", async () => {
  show([
    blocker({}),
    blocker({ code: "control", sentence: "Nobody has control of arm-1.", cleared_by: "Take control." }),
  ]);
  expect(screen.getByText("not asked yet")).toBeTruthy();
  const line = await screen.findByTestId("why-idle-arm-1");
  expect(line.textContent).toContain("Arm it (an operator) · 1 more");
  expect(line.title).toBe(
    "arm-1 is disarmed. Arm it (an operator).\nNobody has control of arm-1. Take control (an operator).",
  );
});

it("what holds a robot comes before that it is held", async () => {
  show([
    blocker({ sentence: "arm-1 is held." }),
    blocker({
      code: "cause",
      cause: "sensor_frozen",
      sentence: "A pose stays the same in motion.",
      cleared_by: "Acknowledge it.",
    }),
  ]);
  const line = await screen.findByTestId("why-idle-arm-1");
  expect(line.textContent).toContain("Sensor frozen. Acknowledge it (an operator) · 1 more");
});

it("a robot that may move has no such line", async () => {
  const { container } = show([]);
  await expect.poll(() => container.textContent).toBe("");
});
