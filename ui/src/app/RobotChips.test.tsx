import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { frame, robotRow, robotSafety } from "../testing/fixtures";
import { fakeStation, renderWith } from "../testing/station";
import { RobotChips } from "./RobotChips";

it("shows a robot that is locked out before robots that work", () => {
  const ids = ["arm-1", "rover-1", "rover-2", "rover-3", "rover-4"];
  const station = fakeStation();
  const safety = robotSafety({ robot: "rover-4", state: "lockout" });
  station.store.applyFrame(frame({ facts: [{ kind: "robot_safety", safety }] }), performance.now());
  renderWith(station, <RobotChips robots={ids.map((id) => robotRow({ id, state: "armed" }))} alarmed={false} />);
  expect(screen.getByTestId("more-robots").title).toBe("rover-3");
  expect(screen.getAllByRole("listitem")[0]?.textContent).toContain("rover-4");
});
