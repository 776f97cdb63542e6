import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import { constraintRow, robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { useLimitChange } from "./flat/useLimitChange";
import { LimitBar } from "./LimitBar";

const room = (id: string, more: Partial<ConstraintRow> = {}) =>
  constraintRow({ id, unit: "m", constraint: { Workspace: { x: [-2, 2], y: [-1, 1], z: [0, 2] } }, ...more });

/** A handle is moved by a button, as keys move it on the scene; an outline is pressed by another. */
function Page() {
  const [inSpace, setInSpace] = useState(false);
  const change = useLimitChange([robotRow()], null, inSpace ? null : "top");
  const nudge = (by_m: number) => () => change.edit?.onNudge("x-max", by_m, 0);
  return (
    <>
      <button type="button" onClick={() => change.choose(null)}>
        open
      </button>
      <button type="button" onClick={() => change.choose("w1")}>
        outline
      </button>
      <button type="button" onClick={() => setInSpace(true)}>
        space
      </button>
      <button type="button" disabled={change.edit === null} onClick={nudge(-0.5)}>
        in
      </button>
      <button type="button" disabled={change.edit === null} onClick={nudge(1)}>
        out
      </button>
      {change.open && <LimitBar change={change} />}
    </>
  );
}

async function show(rows: readonly ConstraintRow[], role: "viewer" | "operator" = "operator") {
  const station = fakeStation({ list_constraints: rows }, { role });
  await renderWith(station, <Page />).settled();
  return station;
}
const press = (name: string) => fireEvent.click(screen.getByText(name));
const means = () => screen.getByTestId("limit-means");
const isOff = (id: string) => screen.getByTestId<HTMLButtonElement>(id).disabled;

describe("U-1601 a limit in force on the scene", () => {
  it("is chosen, moved, and says what that would mean; nothing of it is sent", async () => {
    const station = await show([
      room("w1"),
      room("w2"),
      room("m1", { scope: "manifest" }),
      room("s1", { scope: "mission" }),
    ]);
    press("open");
    const choice = screen.getByRole<HTMLSelectElement>("combobox");
    expect([...choice.options].map(({ text }) => text)).toEqual([
      "Choose a limit",
      "arm-1: Workspace 1",
      "arm-1: Workspace 2",
    ]);
    fireEvent.change(choice, { target: { value: "w1" } });
    expect([means().dataset["direction"], isOff("check-limit")]).toEqual(["same", true]);
    press("in");
    expect([means().textContent, means().dataset["direction"]]).toEqual([
      "x max 2.00 → 1.50 m. Tightens: an Operator may, at once.",
      "tighter",
    ]);
    press("out");
    expect(means().textContent).toBe(
      "x max 2.00 → 2.50 m. Loosens: needs an Admin, a reason and a look at what it changes.",
    );
    fireEvent.click(screen.getByTestId("check-limit"));
    expect(decodeURIComponent(window.location.href)).toMatch(/\/safety\/arm-1\/change\/w1\/-2,2.5,-1,1,0,2$/);
    expect(new Set(station.asked.map(({ name }) => name))).toEqual(new Set(["list_constraints"]));
  });

  it("is chosen by a press on its outline, and as it was once it was given up", async () => {
    await show([room("w1")]);
    press("outline");
    press("out");
    fireEvent.click(screen.getByTestId("leave-limit"));
    expect(screen.queryByTestId("limit-bar")).toBe(null);
    press("outline");
    expect(means().dataset["direction"]).toBe("same");
  });

  it("is only looked at by who may change none", async () => {
    await show([room("w1")], "viewer");
    press("outline");
    press("in");
    expect(isOff("check-limit")).toBe(true);
    expect(means().textContent).not.toContain("Tightens");
  });

  it("says why nothing can be moved in three dimensions", async () => {
    await show([room("w1")]);
    press("outline");
    expect(means().textContent).toMatch(/^Drag a handle/u);
    press("space");
    expect(means().textContent).toMatch(/^In three dimensions nothing is moved/u);
  });

  it("says so where there is none to change", async () => {
    await show([room("m1", { scope: "manifest" })]);
    press("open");
    expect(means().textContent).toContain("manifest");
  });
});
