import { describe, expect, it } from "vitest";
import type { ConstraintKind } from "../../../generated/bindings/ConstraintKind";
import { robotRow } from "../../../testing/fixtures";
import { zoneFrom, zonePart } from "./drawn-zone";
import { drawKeepOut, drawLimit, handlesOf, moveHandle } from "./handles";
import { editOf } from "./scene-edit";
import { fromFrame, toFrame, type Vec3 } from "./transform";
import { flatten, unflatten } from "./view";

const WORKSPACE: ConstraintKind = { Workspace: { x: [-1, 1], y: [-2, 2], z: [0, 1.5] } };
const BOX: ConstraintKind = { KeepOutBox: { min: [0.5, -0.5, 0], max: [0.9, 0.5, 1] } };
const ZONE: ConstraintKind = { ForbiddenZone: { center: [0, 1, 0.5], radius: 0.5 } };
/** A quarter turn to the left. */
const TURNED = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;

describe("U-1601 FU-14 handles of a limit", () => {
  it("are its middle, the edges that a side shows, and their corners", () => {
    const ids = handlesOf(WORKSPACE, "front").map(({ id }) => id);
    const edges = ["x-min", "x-max", "z-min", "z-max"];
    expect(ids).toEqual(["x-min z-min", "x-min z-max", "x-max z-min", "x-max z-max", ...edges, "middle"]);
    expect(handlesOf(ZONE, "top").map(({ id, at_m }) => [id, at_m])).toEqual([
      ["radius", [0.5, 1, 0.5]],
      ["middle", [0, 1, 0.5]],
    ]);
    expect(handlesOf({ MaxVelocity: 1 }, "top")).toEqual([]);
  });

  it("move one edge, two at a corner, or all of it, in whole centimetres", () => {
    expect(moveHandle(WORKSPACE, "x-max", [0.70314, 9, 9])).toEqual({
      Workspace: { x: [-1, 0.7], y: [-2, 2], z: [0, 1.5] },
    });
    expect(moveHandle(BOX, "x-min y-max", [0.2, 0.8, 9])).toEqual({
      KeepOutBox: { min: [0.2, -0.5, 0], max: [0.9, 0.8, 1] },
    });
    expect(moveHandle(BOX, "middle", [1.7, 1, 0.5])).toEqual({
      KeepOutBox: { min: [1.5, 0.5, 0], max: [1.9, 1.5, 1] },
    });
    expect(moveHandle(ZONE, "radius", [0, 1.8, 0.5])).toEqual({ ForbiddenZone: { center: [0, 1, 0.5], radius: 0.8 } });
    expect(moveHandle(ZONE, "middle", [1, 1, 1])).toEqual({ ForbiddenZone: { center: [1, 1, 1], radius: 0.5 } });
  });

  it("keep the size of a limit, and its place where it is not moved", () => {
    const odd: ConstraintKind = { KeepOutBox: { min: [0, 0, 0], max: [0.25, 0.333, 0.125] } };
    expect(moveHandle(odd, "middle", [0.175, 0.1665, 0.0625])).toEqual({
      KeepOutBox: { min: [0.05, 0, 0], max: [0.3, 0.333, 0.125] },
    });
    const ball: ConstraintKind = { ForbiddenZone: { center: [0, 0, 0.125], radius: 0.5 } };
    expect(moveHandle(ball, "middle", [0.1, 0, 0.125])).toEqual({
      ForbiddenZone: { center: [0.1, 0, 0.125], radius: 0.5 },
    });
  });

  it("never turn a limit inside out", () => {
    expect(moveHandle(WORKSPACE, "x-max", [-5, 0, 0])).toEqual({
      Workspace: { x: [-1, -0.99], y: [-2, 2], z: [0, 1.5] },
    });
    expect(moveHandle(ZONE, "radius", [0, 1, 0.5])).toEqual({ ForbiddenZone: { center: [0, 1, 0.5], radius: 0.01 } });
  });
});

describe("U-1601 FU-14 drawing a limit", () => {
  it("takes two corners in any order, and keeps what the side does not show", () => {
    expect(drawLimit(BOX, "top", [2, -1, 9], [1, 3, 9])).toEqual({ KeepOutBox: { min: [1, -1, 0], max: [2, 3, 1] } });
    expect(drawLimit(WORKSPACE, "side", [9, 0, 0.2], [9, 1, 0.8])).toEqual({
      Workspace: { x: [-1, 1], y: [0, 1], z: [0.2, 0.8] },
    });
    expect(drawLimit(ZONE, "top", [1, 1, 0], [1, 3, 0])).toEqual({ ForbiddenZone: { center: [1, 1, 0.5], radius: 2 } });
  });

  it("draws a keep-out box from below the floor to above a person", () => {
    expect(drawKeepOut([2, 1, 0], [-1, 0, 0])).toEqual({ KeepOutBox: { min: [-1, 0, -0.5], max: [2, 1, 2] } });
  });

  it("reads from an address what it has written there, and nothing else", () => {
    const zone = { frame: "map", limit: drawKeepOut([2, 1, 0], [-1, 0, 0]) };
    const read = (part: string) => zoneFrom(part, ["map", "base_link"]);
    expect(read(decodeURIComponent(zonePart(zone)))).toEqual(zone);
    const bad = ["numbers", "", "map;", "map;1,2,3", "map;0,0,0,1,1,NaN", "map;0,0,0,1,1,", "map;1,0,0,0,1,1"];
    const worse = ["odom;0,0,0,1,1,1", "map;0,0,0,1,1,1e999", "map;0,0,0,1,1,1,1", "map;0,0,0,1,1,<b>"];
    for (const part of [...bad, ...worse]) expect(read(part)).toBeNull();
  });
});

describe("U-1601 editing in another frame than the scene's", () => {
  const turned = robotRow({
    transforms: [{ parent: "map", child: "base_link", translation_m: [3, 2, 0], rotation_xyzw: [...TURNED] }],
  });

  it("finds the way back from the frame of the site", () => {
    const point: Vec3 = [0.4, -0.2, 0.7];
    const there = toFrame(turned.transforms, "base_link", "map", point);
    const back = there && fromFrame(turned.transforms, "base_link", "map", there);
    for (const [axis, value] of point.entries()) expect(back?.[axis]).toBeCloseTo(value, 9);
    expect(fromFrame(turned.transforms, "elsewhere", "map", point)).toBeNull();
  });

  it("has handles for what the side shows of it, and draws that", () => {
    const changes: ConstraintKind[] = [];
    const edit = editOf({
      robot: turned,
      frame: "base_link",
      root: "map",
      side: "front",
      limit: BOX,
      blank: BOX,
      depth_m: [0, 0, 0],
      onLimit: (limit) => changes.push(limit),
      onDrawn: () => undefined,
    });
    // From the front of the site the limit is seen along its x.
    const edges = edit.handles.map(({ id }) => id).filter((id) => !id.includes(" "));
    expect(edges).toEqual(["y-min", "y-max", "z-min", "z-max", "middle"]);
    edit.onDraw?.([2.8, 2, 0.2], [3.4, 2, 0.7], true);
    expect(changes).toEqual([{ KeepOutBox: { min: [0.5, -0.4, 0.2], max: [0.9, 0.2, 0.7] } }]);
  });

  const TWELFTH = Math.PI / 12;
  type Box = { min: Vec3; max: Vec3 };
  type Slanted = { id: string; to: Vec3; moved: Box; from: Vec3; drawn: Box };
  it.each<["top" | "front" | "side", string, [number, number, number, number], Slanted]>([
    [
      "top",
      "about y",
      [0, Math.sin(TWELFTH), 0, Math.cos(TWELFTH)],
      {
        id: "x-max",
        to: [1.2, 0, 0.5],
        moved: { min: [0.5, -0.5, 0], max: [1.2, 0.5, 1] },
        from: [-1, -2, 0.5],
        drawn: { min: [-1, -2, 0], max: [1.2, 0, 1] },
      },
    ],
    [
      "side",
      "about z",
      [0, 0, Math.sin(TWELFTH), Math.cos(TWELFTH)],
      {
        id: "y-max",
        to: [0.7, 0.8, 0.5],
        moved: { min: [0.5, -0.5, 0], max: [0.9, 0.8, 1] },
        from: [0.7, -2, -1],
        drawn: { min: [0.5, -2, -1], max: [0.9, 0.8, 0.5] },
      },
    ],
    [
      "front",
      "about every axis",
      [0.1, 0.2, 0.1, Math.sqrt(0.94)],
      {
        id: "x-max z-max",
        to: [1.2, 0, 1.3],
        moved: { min: [0.5, -0.5, 0], max: [1.2, 0.5, 1.3] },
        from: [-1, 0, -2],
        drawn: { min: [-1, -0.5, -2], max: [1.2, 0.5, 1.3] },
      },
    ],
  ])("keeps to the pointer where the %s shows a frame aslant, turned %s", (side, _, rotation_xyzw, slanted) => {
    const { id, to, moved, from, drawn } = slanted;
    const robot = robotRow({
      transforms: [{ parent: "map", child: "base_link", translation_m: [3, 2, 1], rotation_xyzw }],
    });
    const inScene = (point_m: Vec3): Vec3 => toFrame(robot.transforms, "base_link", "map", point_m) ?? [0, 0, 0];
    const changes: ConstraintKind[] = [];
    const edit = editOf({
      robot,
      frame: "base_link",
      root: "map",
      side,
      limit: BOX,
      blank: BOX,
      depth_m: [0, 0, 0],
      onLimit: (limit) => changes.push(limit),
      onDrawn: () => undefined,
    });
    // A pointer tells nothing of the depth.
    const pointed = (point_m: Vec3, depth_m: Vec3) => unflatten(side, flatten(side, inScene(point_m)), depth_m);
    edit.onMove(id, pointed(to, edit.handles.find((handle) => handle.id === id)?.at_m ?? [0, 0, 0]));
    edit.onDraw?.(pointed(from, edit.depth_m), pointed(to, edit.depth_m), true);
    expect(changes).toEqual([{ KeepOutBox: moved }, { KeepOutBox: drawn }]);
  });

  it("moves the edge that was taken hold of, in the limit's own frame", () => {
    const changes: ConstraintKind[] = [];
    const edit = editOf({
      robot: turned,
      frame: "base_link",
      root: "map",
      side: "top",
      limit: BOX,
      blank: null,
      depth_m: [0, 0, 0],
      onLimit: (limit) => changes.push(limit),
      onDrawn: () => undefined,
    });
    // x of the limit is y of the site.
    const handle = edit.handles.find(({ id }) => id === "x-max");
    expect(handle?.at_m[1]).toBeCloseTo(2.9, 9);
    edit.onMove("x-max", [3, 3.2, 0.5]);
    edit.onNudge("x-max", 0, 0.05);
    edit.onNudge("middle", 0, 0.05);
    expect(changes).toEqual([
      { KeepOutBox: { min: [0.5, -0.5, 0], max: [1.2, 0.5, 1] } },
      { KeepOutBox: { min: [0.5, -0.5, 0], max: [0.95, 0.5, 1] } },
      // Up on the screen is x of the limit.
      { KeepOutBox: { min: [0.55, -0.5, 0], max: [0.95, 0.5, 1] } },
    ]);
  });
});
