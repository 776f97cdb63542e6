import { describe, expect, it } from "vitest";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import { diffLimits } from "./limit-diff";

const ZONE: ConstraintKind = { ForbiddenZone: { center: [0.42, 0, 1], radius: 0.25 } };

function check(new_limit: ConstraintKind | null, rows: readonly string[]) {
  const text = diffLimits(ZONE, new_limit).map(
    ({ label, unit, old_value, new_value, changed }) =>
      `${changed ? "*" : " "} ${label} ${old_value} ${new_value} ${unit}`,
  );
  expect(text).toEqual(rows);
}

describe("U-1603 old and new of a limit", () => {
  it("marks what changes, however little", () =>
    check({ ForbiddenZone: { center: [0.42, 0, 1], radius: 0.2501 } }, [
      "  Centre x 0.42 0.42 m",
      "  Centre y 0 0 m",
      "  Centre z 1 1 m",
      "* Radius 0.25 0.2501 m",
    ]));
  it("has no new numbers for a removal", () =>
    check(null, ["* Centre x 0.42 null m", "* Centre y 0 null m", "* Centre z 1 null m", "* Radius 0.25 null m"]));
});
