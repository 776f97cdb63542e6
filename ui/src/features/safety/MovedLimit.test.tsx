import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { constraintRow, robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { RobotLimits } from "./RobotLimits";

// jsdom draws no canvas; what a scene says in words is tested with its model.
vi.mock("../../domain/scene/flat/Scene", () => ({ Scene: () => null }));

const ZONE = constraintRow({ constraint: { ForbiddenZone: { center: [0.4, 0.5, 0.8], radius: 0.25 } }, unit: "m" });

async function show(numbers: string, limit = ZONE.id) {
  const station = fakeStation({ list_constraints: [ZONE], list_proposals: [] }, { role: "admin" });
  const view = renderWith(station, <RobotLimits robot={robotRow()} limit={limit} moved={numbers} />);
  await view.settled();
  return station;
}
const radius = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Radius" });

describe("U-1601 a limit that was moved on the scene of the site", () => {
  it("opens in the form that tightens, with its numbers, and is not sent before that", async () => {
    const station = await show("0.4,0.5,0.8,0.4");
    expect([radius().value, screen.getByTestId("limit-submit").textContent]).toEqual(["0.4", "Tighten now"]);
    expect(station.asked.map(({ name }) => name)).not.toContain("tighten_constraint");
  });

  it("opens in the form that loosens where the station may let more happen", async () => {
    await show("0.4,0.5,0.8,0.1");
    expect(radius().value).toBe("0.1");
    expect(screen.getByTestId("limit-preview")).toBeTruthy();
  });

  it("is taken back edit by edit, each number by itself", async () => {
    await show("0.4,0.5,0.8,0.4");
    const undo = screen.getByTestId<HTMLButtonElement>("undo-edit");
    expect(undo.disabled).toBe(true);
    for (const text of ["0.5", "0.55"]) fireEvent.change(radius(), { target: { value: text } });
    const centre = screen.getByRole<HTMLInputElement>("textbox", { name: "Centre x" });
    fireEvent.change(centre, { target: { value: "0.3" } });
    fireEvent.click(undo);
    expect([centre.value, radius().value]).toEqual(["0.4", "0.55"]);
    fireEvent.click(undo);
    expect([radius().value, undo.disabled]).toEqual(["0.4", true]);
  });

  it.each([
    ["gone", "0.4,0.5,0.8,0.4", "another"],
    ["none by what the address says", "0.4,0.5,0.8,-1", ZONE.id],
  ])("that is %s opens nothing and says so", async (_what, numbers, id) => {
    await show(numbers, id);
    expect(screen.queryByTestId("limit-submit")).toBe(null);
    expect(screen.getByText(/limit that was moved is gone/)).toBeTruthy();
  });
});
