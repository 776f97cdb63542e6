import { describe, expect, it } from "vitest";
import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import { marksOf } from "../../design/fields/decimal";
import { draftOf, emptyDraft, fieldAt, readDraft, withText } from "./limit-draft";
import { kindOf, KINDS, paramsOf } from "./limit-kinds";

const EN = marksOf("en");
const LIMITS: readonly ConstraintKind[] = [
  { Workspace: { x: [-1, 1], y: [-0.5, 0.5], z: [0, 1.2] } },
  { MaxVelocity: 1.5 },
  { ForbiddenZone: { center: [0.42, 0, -1], radius: 0.25 } },
  { MaxForce: 50 },
  { JointLimits: { joint: "shoulder", position_rad: [-1.5, 1.5], velocity_radps: 1 } },
  {
    JointLimits: {
      joint: "shoulder",
      position_rad: [-1.5, 1.5],
      velocity_radps: 1,
      acceleration_radps2: 2,
      effort_nm: 40,
    },
  },
  { JointLimits: { joint: "lift", position_m: [0, 0.4], velocity_mps: 0.2, effort_n: 100 } },
];

/** Writes texts over a limit and lists the problems by field. */
function check(limit: ConstraintKind, texts: Record<string, string>, problems: Record<string, string>) {
  const draft = Object.entries(texts).reduce(
    (before, [path, text]) => withText(before, `params_json${path}`, text),
    draftOf(limit, EN),
  );
  const found = [...(readDraft(draft, EN).problems ?? [])].map(([path, problem]) => [
    path.replace("params_json", ""),
    problem,
  ]);
  expect(Object.fromEntries(found)).toEqual(problems);
}

const [WORKSPACE, SPEED, ZONE, , JOINT] = LIMITS as [
  ConstraintKind,
  ConstraintKind,
  ConstraintKind,
  ConstraintKind,
  ConstraintKind,
];

describe("U-1602 a limit in its fields", () => {
  it.each(LIMITS)("%o comes out as it went in", (limit) =>
    expect(readDraft(draftOf(limit, EN), EN).limit).toEqual(limit),
  );
  it.each(KINDS)("an empty %s asks for every number", (kind) =>
    expect(new Set(readDraft(emptyDraft(kind), EN).problems?.values())).toEqual(new Set(["empty"])),
  );

  it("takes comma and point in one form", () => check(WORKSPACE, { ".x[0]": "-0,4", ".x[1]": "0.4" }, {}));
  it("wants min below max, and says so at max", () =>
    check(WORKSPACE, { ".x[0]": "1", ".z[0]": "2" }, { ".x[1]": "below_min", ".z[1]": "below_min" }));
  it("does not compare with what is no number", () =>
    check(WORKSPACE, { ".x[0]": "abc" }, { ".x[0]": "not_a_number" }));
  it("wants a radius above zero", () => check(ZONE, { ".radius": "0" }, { ".radius": "not_positive" }));
  it("does not order the parts of a centre", () => check(ZONE, { ".center[0]": "5", ".center[1]": "-5" }, {}));
  it("takes a joint without what is optional, and orders its span", () =>
    check(
      JOINT,
      { ".position_rad[0]": "2", ".velocity_radps": "0", ".effort_nm": "-1", ".acceleration_radps2": " " },
      { ".position_rad[1]": "below_min", ".velocity_radps": "not_positive", ".effort_nm": "not_positive" },
    ));
  it("leaves ranges to the station", () => check(SPEED, { "": "-1" }, {}));

  it("has the JSON the station reads", () =>
    expect(LIMITS.map((limit) => [kindOf(limit), JSON.stringify(paramsOf(limit))])).toEqual([
      ["workspace", '{"x":[-1,1],"y":[-0.5,0.5],"z":[0,1.2]}'],
      ["max_velocity", "1.5"],
      ["forbidden_zone", '{"center":[0.42,0,-1],"radius":0.25}'],
      ["max_force", "50"],
      ["joint_limits", '{"joint":"shoulder","position_rad":[-1.5,1.5],"velocity_radps":1}'],
      [
        "joint_limits",
        '{"joint":"shoulder","position_rad":[-1.5,1.5],"velocity_radps":1,"acceleration_radps2":2,"effort_nm":40}',
      ],
      ["sliding_joint_limits", '{"joint":"lift","position_m":[0,0.4],"velocity_mps":0.2,"effort_n":100}'],
    ]));

  it.each([
    ["workspace", "params_json.x[0]", "params_json.x[0]"],
    ["workspace", "params_json.x", "params_json.x[1]"],
    ["workspace", "params_json", null],
    ["max_velocity", "params_json", "params_json"],
    ["forbidden_zone", "params_json.center", "params_json.center[2]"],
    ["forbidden_zone", "frame", null],
  ] as const)("in a %s the path %s is the field %s", (kind, path, field) => expect(fieldAt(kind, path)).toBe(field));
});
