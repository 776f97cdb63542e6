import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import { alarmRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { RobotAlarms } from "./RobotAlarms";

async function show(alarms: readonly AlarmRow[]) {
  const { settled } = renderWith(fakeStation({ list_alarms: alarms }), <RobotAlarms robot="arm-1" />);
  await settled();
}

it("FU-20 the page of a robot shows its own alarms, each with what to do", async () => {
  const response = "Use the red button.";
  await show([
    alarmRow("a-1", { robot: "arm-1", message: "arm-1 was not seen to stop.", response }),
    alarmRow("a-2", { robot: "rover-1", message: "rover-1 is lost." }),
  ]);
  const alarms = within(screen.getByTestId("robot-alarms"));
  expect(alarms.getByText("arm-1 was not seen to stop.")).toBeTruthy();
  expect(alarms.getByText(response)).toBeTruthy();
  expect(alarms.queryByText("rover-1 is lost.")).toBeNull();
});

it("FU-20 the page of a robot says so when none of its alarms is active", async () => {
  await show([alarmRow("a-2", { robot: "rover-1" })]);
  expect(screen.getByText("No alarm is active.")).toBeTruthy();
});
