import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Blocker } from "../../generated/bindings/Blocker";
import type { RobotRow } from "../../generated/bindings/RobotRow";
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

const show = (blockers: Blocker[], state: RobotRow["state"] = "disarmed") =>
  renderWith(
    fakeStation({ why_idle: { robot: "arm-1", blockers } }),
    <WhyIdle robot={robotRow({ id: "arm-1", state })} otherwise={<p>not asked yet</p>} />,
  );

it("a tile says what keeps its robot from moving, what ends that, who may, and how much else there is", async () => {
  show([
    blocker({ code: "limits", sentence: "A limit is missing.", cleared_by: "Register a workspace.", who: "an Admin" }),
    blocker({ code: "latch", sentence: "Stop #1 is open for arm-1.", cleared_by: "Release stop #1." }),
  ]);
  expect(screen.getByText("not asked yet")).toBeTruthy();
  const line = await screen.findByTestId("why-idle-arm-1");
  expect(line.textContent).toContain("Stop #1 is open for arm-1. Release stop #1 (an operator) · 1 more");
  expect(line.title).toBe(
    "A limit is missing. Register a workspace (an Admin).\nStop #1 is open for arm-1. Release stop #1 (an operator).",
  );
});

it("what the tile shows by itself is not said again: disarmed beside the button that arms, and nobody in control", async () => {
  show([
    blocker({}),
    blocker({ code: "control", sentence: "Nobody has control of arm-1.", cleared_by: "Take control." }),
  ]);
  await waitFor(() => expect(screen.queryByText("not asked yet")).toBeNull());
  expect(screen.queryByTestId("why-idle-arm-1")).toBeNull();
});

it("what holds a robot comes before that it is held", async () => {
  const cause = blocker({
    code: "cause",
    cause: "sensor_frozen",
    sentence: "A pose stays the same in motion.",
    cleared_by: "Acknowledge it.",
  });
  show([blocker({ sentence: "arm-1 is held." }), cause], "hold");
  const line = await screen.findByTestId("why-idle-arm-1");
  expect(line.textContent).toContain("Sensor frozen. Acknowledge it (an operator) · 1 more");
});

it("a robot that may move has no such line", async () => {
  const { container } = show([]);
  await waitFor(() => expect(container.textContent).toBe(""));
});
