import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdOrder } from "./held-order";

type Row = { id: string; state: string };
const row = (id: string, state = "normal"): Row => ({ id, state });
const idOf = ({ id }: Row) => id;
const show = (rows: readonly Row[], held: readonly Row[] | null) => {
  const found = holdOrder(rows, held, idOf);
  return [found.rows.map(({ row: { id, state }, gone }) => `${id} ${gone ? "gone" : state}`).join(", "), found.behind];
};

describe("U-1201 rows under the hand", () => {
  const held = [row("arm-1"), row("gate-1"), row("rover-1")];
  it("follow the list while nobody is near", () =>
    expect(show([row("b"), row("a")], null)).toEqual(["b normal, a normal", 0]));
  it("keep their places when trouble would move one to the top, and show the trouble", () =>
    expect(show([row("rover-1", "stale"), row("arm-1"), row("gate-1")], held)).toEqual([
      "arm-1 normal, gate-1 normal, rover-1 stale",
      0,
    ]));
  it("keep the place of one that has left", () =>
    expect(show([row("arm-1"), row("rover-1")], held)).toEqual(["arm-1 normal, gate-1 gone, rover-1 normal", 0]));
  it("let new ones wait behind", () =>
    expect(show([row("new"), ...held], held)).toEqual(["arm-1 normal, gate-1 normal, rover-1 normal", 1]));
  it("never move, whatever becomes of the list", () => {
    const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"));
    fc.assert(
      fc.property(ids, ids, (before, after) => {
        const { rows } = holdOrder(
          after.map((id) => row(id)),
          before.map((id) => row(id)),
          idOf,
        );
        expect(rows.map((line) => idOf(line.row))).toEqual(before);
      }),
    );
  });
});
