import * as dagre from "@dagrejs/dagre";
import { expect, it, vi } from "vitest";
import { beside, layered } from "./layered";

vi.mock("@dagrejs/dagre", async (original) => {
  const real = await original<typeof dagre>();
  return { ...real, layout: vi.fn(real.layout) };
});

it("U-1007 lays out with the ranker that is quick with a thousand missions", () => {
  const box = (id: string) => ({ id, width: 226, height: 98 });
  expect(layered([box("a"), box("b")], [{ from: "a", to: "b" }]).get("b")?.y).toBe(98 + 56);
  expect(vi.mocked(dagre.layout).mock.calls[0]?.[0].graph()).toMatchObject({ ranker: "tight-tree" });
});

it("U-1007 finds room in time for thousands that wait for one", () => {
  const ids = Array.from({ length: 3_000 }, (_, at) => `m${at}`);
  const boxes = ids.map((id, at) => ({ id, width: 226, height: 98 + (at % 2) * 17 }));
  const pairs = ids.slice(1).map((to) => ({ from: "m0", to }));
  const points = beside(boxes, pairs, new Map([["m0", { x: 0, y: 0 }]]));
  const corners = [...points.values()].map(({ x, y }) => `${x} ${y}`);
  expect([corners.length, new Set(corners).size]).toEqual([3_000, 3_000]);
});
