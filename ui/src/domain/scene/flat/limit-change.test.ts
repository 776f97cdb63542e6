import { describe, expect, it } from "vitest";
import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";
import { changedNumbers, type Direction, directionOf, limitFrom, numbersPart } from "./limit-change";

const ROOM: ConstraintKind = { Workspace: { x: [-2, 2], y: [-1, 1], z: [0, 2] } };
const BOX: ConstraintKind = { KeepOutBox: { min: [0, 0, 0], max: [1, 1, 1] } };
const BALL: ConstraintKind = { ForbiddenZone: { center: [1, 1, 0], radius: 0.5 } };
const room = (x: [number, number]): ConstraintKind => ({ Workspace: { x, y: [-1, 1], z: [0, 2] } });
const box = (max: [number, number, number]): ConstraintKind => ({ KeepOutBox: { min: [0, 0, 0], max } });
const ball = (x: number, radius: number): ConstraintKind => ({ ForbiddenZone: { center: [x, 1, 0], radius } });

describe("U-1601 U-1603 a limit that is moved on the scene", () => {
  it.each<[string, ConstraintKind, ConstraintKind, Direction]>([
    ["a smaller workspace", ROOM, room([-2, 1.5]), "tighter"],
    ["a larger workspace", ROOM, room([-2, 2.05]), "looser"],
    ["a workspace that was pushed aside", ROOM, room([-1, 3]), "looser"],
    ["a larger box to keep out of", BOX, box([1.5, 1, 1]), "tighter"],
    ["a smaller box to keep out of", BOX, box([1, 0.9, 1]), "looser"],
    ["a larger zone around the same middle", BALL, ball(1, 0.6), "tighter"],
    ["a larger zone that still covers the old one", BALL, ball(1.1, 0.6), "tighter"],
    ["a zone of the same size elsewhere", BALL, ball(1.1, 0.5), "looser"],
    ["another kind", BOX, BALL, "looser"],
    ["the same", BOX, box([1, 1, 1]), "same"],
  ])("%s is told by its direction", (_what, old, wanted, direction) =>
    expect(directionOf(old, wanted)).toBe(direction),
  );

  it("names the numbers that differ", () =>
    expect(changedNumbers(ROOM, room([-2, 1.5]))).toEqual([{ label: "x max", old_m: 2, new_m: 1.5 }]));

  it.each([ROOM, BOX, BALL])("comes back from the address as it was", (limit) =>
    expect(limitFrom(limit, numbersPart(limit))).toEqual(limit),
  );

  it.each(["", "1,2", "1,2,3,4,5,x", "2,1,0,1,0,1", "0,1,0,1,0,1,2", "0,1,0,1,0,Infinity"])(
    "is none where the address says %s",
    (part) => expect(limitFrom(BOX, part)).toBe(null),
  );

  it("is none with a radius that is not above 0", () => expect(limitFrom(BALL, "0,0,0,0")).toBe(null));
});
