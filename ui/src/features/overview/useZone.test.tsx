import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { robotRow } from "../../testing/fixtures";
import { useZone } from "./useZone";

const ROBOTS = ["rover-1", "rover-2"].map((id) => robotRow({ id }));

it("a zone stays that of the robot it was drawn for when another one is looked at", () => {
  const { result, rerender } = renderHook(({ chosen }) => useZone(ROBOTS, chosen), {
    initialProps: { chosen: "rover-2" },
  });
  act(() => result.current.toggle());
  rerender({ chosen: "rover-1" });
  expect(result.current.robot).toBe("rover-1");
  rerender({ chosen: "rover-2" });
  act(() => result.current.edit?.onDraw?.([0, 0, 0], [2, 1, 0], true));
  rerender({ chosen: "rover-1" });
  expect([result.current.robot, result.current.drafts.map(({ robot }) => robot)]).toEqual(["rover-2", ["rover-2"]]);
});
