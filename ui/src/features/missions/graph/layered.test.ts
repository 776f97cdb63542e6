import * as dagre from "@dagrejs/dagre";
import { expect, it, vi } from "vitest";
import { layered } from "./layered";

vi.mock("@dagrejs/dagre", async (original) => {
  const real = await original<typeof dagre>();
  return { ...real, layout: vi.fn(real.layout) };
});

it("U-1007 lays out with the ranker that is quick with a thousand missions", () => {
  const box = (id: string) => ({ id, width: 226, height: 98 });
  expect(layered([box("a"), box("b")], [{ from: "a", to: "b" }]).get("b")?.y).toBe(98 + 56);
  expect(vi.mocked(dagre.layout).mock.calls[0]?.[0].graph()).toMatchObject({ ranker: "tight-tree" });
});
