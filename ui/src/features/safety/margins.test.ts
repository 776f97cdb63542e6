import { describe, expect, it } from "vitest";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import { constraintRow, robotRow } from "../../testing/fixtures";
import { marginsOf } from "./margins";

const WORKSPACE: ConstraintRow["constraint"] = { Workspace: { x: [-1, 1], y: [-1, 1], z: [0, 1] } };

function check(
  change: Partial<ConstraintRow>,
  position_m: [number, number, number],
  frame: string,
  margins: readonly string[],
) {
  const found = marginsOf([constraintRow(change)], robotRow(), { frame, position_m, orientation: null });
  const text = found.flatMap((limit) =>
    limit.margins.map(({ label, distance_m }) => `${label} ${distance_m?.toFixed(2) ?? "?"}`),
  );
  expect(text).toEqual(margins);
}

describe("U-1605 distances to limits", () => {
  it("names every face, beyond it negative", () =>
    check({ constraint: WORKSPACE }, [0.5, -1.25, 0.5], "base_link", [
      "x min 1.50",
      "x max 0.50",
      "y min -0.25",
      "y max 2.25",
      "z min 0.50",
      "z max 0.50",
    ]));
  it("brings the point into the limit's frame", () =>
    check({ constraint: { ForbiddenZone: { center: [3, 2, 0], radius: 0.5 } }, frame: "map" }, [2, 0, 0], "base_link", [
      "surface 1.50",
    ]));
  it("gives no distance where no transform leads", () =>
    check({ constraint: { ForbiddenZone: { center: [0, 0, 0], radius: 0.5 } } }, [9, 9, 9], "map", ["surface ?"]));
  it("passes over limits without a place", () => check({ constraint: { MaxVelocity: 1 } }, [0, 0, 0], "base_link", []));
});
