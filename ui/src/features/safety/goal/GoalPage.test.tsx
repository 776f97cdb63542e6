import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { frame, poseSignal, robotRow } from "../../../testing/fixtures";
import { type FakeStation, fakeStation, renderWith } from "../../../testing/station";
import { GoalPage } from "./GoalPage";

vi.mock("./GoalScene", () => ({ GoalScene: () => null }));

/** The robot's place in its row, as it was when the list was asked. */
const OLD = { frame: "base_link", position_m: [9, 9, 9], orientation: null, age_ms: 60_000 } as never;

let seq = 1;
function measure({ store }: FakeStation, x_m: number, source_lost = false) {
  seq += 1;
  const signals = [poseSignal("arm-1", [x_m, 0, 0.8], { source_lost })];
  act(() => store.applyFrame(frame({ seq, signals }), performance.now()));
}

function show() {
  const station = fakeStation({ list_robots: [robotRow({ pose: OLD })], list_constraints: [], check_command: null });
  renderWith(station, <GoalPage robot="arm-1" />);
  return station;
}

const x = () => screen.getByLabelText<HTMLInputElement>("x");

describe("U-708 the goal page", () => {
  it("begins at the measured pose and takes it again, not the one of the list", async () => {
    const station = show();
    expect(await screen.findByText("Nothing says where arm-1 is")).toBeTruthy();
    measure(station, 0.3);
    expect(x().value).toBe("0.3");
    measure(station, 0.5);
    expect(x().value).toBe("0.3");
    fireEvent.click(screen.getByTestId("goal-here"));
    expect(x().value).toBe("0.5");
  });

  it("tells a refusal only beside the goal that was refused", async () => {
    const allowed = { verdict: { overall: "allow" }, explanation: [], sentence: "Allowed." };
    const station = fakeStation({ list_robots: [robotRow()], list_constraints: [], check_command: allowed });
    renderWith(station, <GoalPage robot="arm-1" />);
    await screen.findByText("Nothing says where arm-1 is");
    measure(station, 0.3);
    const send = screen.getByTestId<HTMLButtonElement>("goal-send");
    await waitFor(() => expect(send.disabled).toBe(false));
    fireEvent.click(send);
    expect(await screen.findByText(/no answer for send_command/)).toBeTruthy();
    fireEvent.change(x(), { target: { value: "0.7" } });
    expect(screen.queryByText(/no answer for send_command/)).toBeNull();
  });

  it("keeps the goal while the pose is lost, says so, and offers no current pose", async () => {
    const station = show();
    await screen.findByText("Nothing says where arm-1 is");
    measure(station, 0.3);
    fireEvent.change(x(), { target: { value: "0.7" } });
    expect(screen.getByTestId("goal-pose-lost").textContent).toBe("");
    measure(station, 0.3, true);
    expect(x().value).toBe("0.7");
    expect(screen.getByTestId("goal-pose-lost").textContent).toContain("Nothing says where arm-1 is right now.");
    expect(screen.getByTestId("goal-here")).toHaveProperty("disabled", true);
    measure(station, 0.4);
    expect([x().value, screen.getByTestId("goal-pose-lost").textContent]).toEqual(["0.7", ""]);
  });
});
