import { describe, expect, it, vi } from "vitest";
import { wayEdit } from "./goal-edit";

const WAY = [
  [0, 0, 0.5],
  [1, 0, 0.7],
] as const;

describe("ME-17 a way on the scene", () => {
  const edit = (canAdd = true) => {
    const onPut = vi.fn<(at: number, to_m: readonly number[]) => void>();
    return { onPut, edit: wayEdit({ points_m: WAY, side: "front", canAdd, onPut }) };
  };

  it("has a numbered handle for each waypoint, which moves that one by pointer and keys", () => {
    const { onPut, edit: way } = edit();
    expect(way.handles.map(({ id, label, mark }) => [id, label, mark])).toEqual([
      ["waypoint-1", "Waypoint 1", "1"],
      ["waypoint-2", "Waypoint 2", "2"],
    ]);
    way.onMove("waypoint-2", [2, 0, 0.7]);
    way.onNudge("waypoint-1", 0.25, -0.25);
    expect(onPut.mock.calls).toEqual([
      [1, [2, 0, 0.7]],
      [0, [0.25, 0, 0.25]],
    ]);
  });

  it("adds one at the end where a press ends, at the depth of the last, while there is room", () => {
    const { onPut, edit: way } = edit();
    expect(way.depth_m).toEqual([1, 0, 0.7]);
    way.onDraw?.([0, 0, 0], [3, 0, 1], false);
    expect(onPut).not.toHaveBeenCalled();
    way.onDraw?.([0, 0, 0], [3, 0, 1], true);
    expect(onPut).toHaveBeenCalledWith(2, [3, 0, 1]);
    expect(edit(false).edit.onDraw).toBeNull();
  });
});
