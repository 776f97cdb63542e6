import { describe, expect, it } from "vitest";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { isUnconcerned, limitFigures } from "./limit-figures";

const ITEM: VerdictItem = {
  constraint: "c1",
  kind: "workspace",
  verdict: "allow",
  limit: 1,
  predicted: 0.5,
  margin: 0.36,
  unit: "m",
  at_path_m: null,
  point_m: null,
  nearest_allowed_m: null,
  reason: { code: "workspace", args: { axis: "y", inflation_m: 0.14 } },
};

describe("FU-06 bound and prediction leave the margin", () => {
  it("at the upper face of a box, which is named", () => {
    expect(limitFigures(ITEM)).toEqual({ name: "Workspace y max", predicted: 0.64, used: 0.64 });
  });

  it("at the lower face of a box", () => {
    const lower = { ...ITEM, limit: -1, predicted: -0.5 };
    expect(limitFigures(lower)).toEqual({ name: "Workspace y min", predicted: -0.64, used: 0.64 });
  });

  it("beyond a face, by more than the body", () => {
    const beyond: VerdictItem = { ...ITEM, verdict: "deny", predicted: 2, margin: -1.14 };
    const { name, predicted, used } = limitFigures(beyond);
    expect(name).toBe("Workspace y max");
    expect(predicted).toBeCloseTo(2.14);
    expect(used).toBeCloseTo(2.14);
  });

  it("beyond a face, by less than the body", () => {
    const beyond: VerdictItem = { ...ITEM, verdict: "deny", predicted: 0.9, margin: -0.04 };
    expect(limitFigures(beyond).name).toBe("Workspace y max");
    expect(limitFigures(beyond).predicted).toBeCloseTo(1.04);
  });

  it("at a zone to keep away from", () => {
    const zone: VerdictItem = { ...ITEM, kind: "forbidden_zone", limit: 0.5, predicted: 2, margin: 1.5 - 0.14 };
    const { name, predicted, used } = limitFigures({ ...zone, reason: { code: "forbidden_zone", args: {} } });
    expect(name).toBe("Forbidden zone");
    expect(predicted).toBeCloseTo(1.86);
    expect(used).toBeCloseTo(0.5 / 1.86);
  });

  it("of a number that needs no room for a body", () => {
    const speed: VerdictItem = { ...ITEM, kind: "max_velocity", limit: 1, predicted: 0.2, margin: 0.8, unit: "mps" };
    expect(limitFigures({ ...speed, reason: { code: "velocity", args: {} } })).toEqual({
      name: "Speed",
      predicted: 0.2,
      used: 0.2,
    });
  });

  it("and a limit that says nothing about the motion has none", () => {
    const joint: VerdictItem = { ...ITEM, kind: "joint_limits", limit: null, predicted: null, margin: null };
    const named = { ...joint, reason: { code: "joint_limit" as const, args: { joint: "lift" } } };
    expect(isUnconcerned(named)).toBe(true);
    expect(isUnconcerned(ITEM)).toBe(false);
    expect(limitFigures(named)).toEqual({ name: "Joint limits lift", predicted: null, used: null });
  });
});
