import { describe, expect, it } from "vitest";
import { everyWord, match } from "./variants";

type Shape = { circle: { radius: number } } | { square: number };

const area = (shape: Shape) =>
  match(shape, { circle: ({ radius }) => 3 * radius * radius, square: (side) => side * side });

describe("a variant", () => {
  it("is read by the arm of its name", () => {
    expect([area({ circle: { radius: 2 } }), area({ square: 3 })]).toEqual([12, 9]);
  });

  it("of a newer station is an error that names it, never another variant", () => {
    expect(() => area({ hexagon: 1 } as never)).toThrow("hexagon");
  });
});

it("words keep the order in which they are written", () => {
  expect(everyWord<"once" | "skip" | "all">({ skip: true, all: true, once: true })).toEqual(["skip", "all", "once"]);
});
