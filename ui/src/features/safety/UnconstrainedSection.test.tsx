import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Role } from "../../generated/bindings/Role";
import { frame, robotRow, robotSafety } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { UnconstrainedSection } from "./UnconstrainedSection";

function show(role: Role) {
  const station = fakeStation({ grant_unconstrained: {} }, { role });
  renderWith(station, <UnconstrainedSection robot={robotRow()} />);
  const report = (unconstrained_until_mono_ms: number | null) =>
    act(() =>
      station.store.applyFrame(
        frame({ facts: [{ kind: "robot_safety", safety: robotSafety({ unconstrained_until_mono_ms }) }] }),
        performance.now(),
      ),
    );
  report(null);
  return { station, report };
}

const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)));
const write = (testId: string, text: string) =>
  fireEvent.change(screen.getByTestId(testId), { target: { value: text } });
const submit = () => screen.getByTestId<HTMLButtonElement>("grant-submit");

describe("an incomplete set of limits", () => {
  it("is let by an Admin with time, reason and the robot's name written out, and drawn once the station says so", async () => {
    const { station, report } = show("admin");
    await press("unconstrained-open");
    write("grant-reason", "limits of the new gripper are being written");
    expect(submit().disabled).toBe(true);
    write("grant-name", "arm-2");
    expect(submit().disabled).toBe(true);
    write("grant-name", "arm-1");
    await press("grant-submit");
    expect(station.asked).toEqual([
      {
        name: "grant_unconstrained",
        input: { robot: "arm-1", minutes: 15, reason: "limits of the new gripper are being written" },
      },
    ]);
    expect(screen.getByTestId("unconstrained").dataset["inForce"]).toBe("false");
    report(10_000 + 15 * 60_000);
    expect(screen.getByTestId("unconstrained").textContent).toMatch(
      /^arm-1 may move without a complete set of limits for .* more\.$/,
    );
  });

  it.each(["0", "61", "2,5", "many"])("is not let for %s minutes", async (minutes) => {
    show("admin");
    await press("unconstrained-open");
    fireEvent.change(screen.getByLabelText("For how long"), { target: { value: minutes } });
    write("grant-reason", "why");
    write("grant-name", "arm-1");
    expect(submit().disabled).toBe(true);
  });

  it("is ended at any time, with a reason", async () => {
    const { station, report } = show("admin");
    report(70_000);
    await press("unconstrained-open");
    write("unconstrained-end-reason", "the limits are written");
    await press("unconstrained-end-submit");
    expect(station.asked).toEqual([
      { name: "grant_unconstrained", input: { robot: "arm-1", minutes: 0, reason: "the limits are written" } },
    ]);
  });

  it("U-107 is closed to an Operator, who reads why", () => {
    show("operator");
    expect([
      screen.getByTestId<HTMLButtonElement>("unconstrained-open").disabled,
      screen.getByText("needs Admin").tagName,
    ]).toEqual([true, "SPAN"]);
  });
});
