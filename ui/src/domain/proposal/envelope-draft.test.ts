import { describe, expect, it } from "vitest";
import type { Proposal } from "../../generated/bindings/Proposal";
import { proposal } from "../../testing/fixtures";
import { grantDraftOf, grantOf } from "./envelope-draft";

const INPUT = {
  robot: "arm-1",
  actuator: "arm",
  force_n: 5,
  motion: { pose_goal: { position_m: [0.5, 0.2, 1], speed_mps: 0.2 } },
};

function draft(change: Partial<Proposal> = {}) {
  return grantDraftOf(proposal({ tier: "medium", input: INPUT, ...change }));
}

describe("the bounds of a standing approval", () => {
  it("begin close around the shown way", () => {
    const begun = draft({ mission: "patrol" });
    if (!begun) throw new Error("a Medium motion has a draft");
    const numbers = new Map(begun.fields.map(({ path, first }) => [path, first]));
    expect(grantOf(begun, numbers)).toEqual({
      robot: "arm-1",
      mission_id: "patrol",
      operation: "send_command",
      envelope: {
        actuator: "arm",
        workspace: { x: [0.25, 0.55], y: [-0.05, 0.25], z: [0.75, 1.05] },
        frame: "base_link",
        speed_mps_max: 0.2,
        force_n_max: 5,
      },
      count: 10,
      hours: 1,
    });
  });

  it.each<[string, Partial<Proposal>]>([
    ["a High card", { tier: "high" }],
    ["what is no motion", { operation: "tighten_constraint" }],
    ["a motion without a way", { preview: null }],
    ["a motion without a speed", { input: { robot: "arm-1", actuator: "arm", motion: { switch: { on: true } } } }],
  ])("are not offered for %s", (_, change) => expect(draft(change)).toBeNull());
});
