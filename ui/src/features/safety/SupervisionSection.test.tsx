import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { SafetySetting } from "../../generated/bindings/SafetySetting";
import type { Role } from "../../generated/bindings/Role";
import { frame, robotRow, robotSafety } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { SafetyNumbers } from "./SafetyNumbers";
import { SupervisionSection } from "./SupervisionSection";

function show(role: Role) {
  const station = fakeStation({ set_supervision: {} }, { role });
  renderWith(station, <SupervisionSection robot={robotRow()} />);
  const report = (supervision: "required" | "unattended") =>
    act(() =>
      station.store.applyFrame(
        frame({ facts: [{ kind: "robot_safety", safety: robotSafety({ supervision }) }] }),
        performance.now(),
      ),
    );
  report("required");
  return { station, report };
}

describe("U-613 whether a robot may move while nobody looks", () => {
  it("is changed by an Admin with a reason, and drawn only once the station has said so", async () => {
    const { station, report } = show("admin");
    fireEvent.click(screen.getByTestId("set-supervision"));
    fireEvent.change(screen.getByTestId("supervision-form-reason"), { target: { value: "night run" } });
    fireEvent.click(screen.getByTestId("supervision-form-submit"));
    await act(async () => undefined);
    expect(station.asked).toEqual([
      { name: "set_supervision", input: { robot: "arm-1", supervision: "unattended", reason: "night run" } },
    ]);
    expect(screen.getByTestId("supervision").dataset["supervision"]).toBe("required");
    report("unattended");
    expect([
      screen.getByTestId("supervision").textContent?.slice(0, 10),
      screen.getByTestId("set-supervision").textContent,
    ]).toEqual(["Unattended", "Supervise again…"]);
  });

  it("is closed to an Operator, who reads why", () => {
    show("operator");
    expect([
      screen.getByTestId<HTMLButtonElement>("set-supervision").disabled,
      screen.getByText("needs Admin").tagName,
    ]).toEqual([true, "SPAN"]);
  });
});

it("U-107 the safety engine's numbers are read, each with its range and what it decides", async () => {
  const row = (change: Partial<SafetySetting>): SafetySetting => ({
    key: "link_loss_ms",
    value: 500,
    default: 500,
    min: 100,
    max: 2_000,
    meaning: "A link is lost after this.",
    ...change,
  });
  renderWith(fakeStation({ get_safety_settings: [row({}), row({ key: "hold_ms", value: 0.5 })] }), <SafetyNumbers />);
  const table = await screen.findByTestId("safety-numbers");
  const cells = [...table.querySelectorAll("tbody tr")].map((line) =>
    [...line.children].map((cell) => cell.textContent),
  );
  expect(cells).toEqual([
    ["link_loss_ms", "500", "100 … 2000", "A link is lost after this."],
    ["hold_ms", "0.5 instead of 500", "100 … 2000", "A link is lost after this."],
  ]);
});
