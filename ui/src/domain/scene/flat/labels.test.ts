import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { besides, type Box, overlap, placeLabels, squareAround, type Wish, within } from "./labels";
import type { Spot } from "./view";

const ROOM: Box = { left: 0, top: 0, right: 600, bottom: 400 };
const NONE = new Map<string, number>();

type Thing = { spot: Spot; radius_px: number; width_px: number; priority: number };

const thing: fc.Arbitrary<Thing> = fc.record({
  spot: fc.tuple(fc.integer({ min: -50, max: 650 }), fc.integer({ min: -50, max: 450 })),
  radius_px: fc.integer({ min: 4, max: 60 }),
  width_px: fc.integer({ min: 10, max: 120 }),
  priority: fc.integer({ min: 0, max: 3 }),
});
const things = fc.array(thing, { maxLength: 40 });

const wishes = (all: readonly Thing[]): Wish[] =>
  all.map(({ spot, radius_px, width_px, priority }, index) => ({
    id: `robot-${index}`,
    priority,
    places: besides(spot, radius_px, { width_px, height_px: 18 }),
  }));
const bodies = (all: readonly Thing[]) => all.map(({ spot, radius_px }) => squareAround(spot, radius_px * 0.7));

describe("U-1102 names in the scene", () => {
  it("never lie over one another, over a robot or outside", () => {
    fc.assert(
      fc.property(things, (all) => {
        const boxes = [...placeLabels(wishes(all), ROOM, bodies(all), NONE).values()].map(({ box }) => box);
        for (const [index, box] of boxes.entries()) {
          expect(box.left >= 0 && box.right <= 600 && box.top >= 0 && box.bottom <= 400).toBe(true);
          expect(bodies(all).some((body) => overlap(body, box))).toBe(false);
          expect(boxes.slice(index + 1).some((other) => overlap(other, box))).toBe(false);
        }
      }),
    );
  });

  it("are placed by importance: what matters less moves nothing that matters more", () => {
    fc.assert(
      fc.property(things, (all) => {
        const important = wishes(all).filter(({ priority }) => priority === 3);
        const alone = placeLabels(important, ROOM, bodies(all), NONE);
        const among = placeLabels(wishes(all), ROOM, bodies(all), NONE);
        for (const { id } of important) expect(among.get(id)).toEqual(alone.get(id));
      }),
    );
  });

  it("do not depend on the order in which they are asked for", () => {
    fc.assert(
      fc.property(things, (all) => {
        const forth = placeLabels(wishes(all), ROOM, [], NONE);
        const back = placeLabels(wishes(all).toReversed(), ROOM, [], NONE);
        expect(Object.fromEntries(back)).toEqual(Object.fromEntries(forth));
      }),
    );
  });

  it("stay where they were while there is room", () => {
    fc.assert(
      fc.property(things, (all) => {
        const first = placeLabels(wishes(all), ROOM, bodies(all), NONE);
        const chosen = new Map([...first].map(([id, { place }]) => [id, place]));
        expect(placeLabels(wishes(all), ROOM, bodies(all), chosen)).toEqual(first);
      }),
    );
  });

  it("move to the other side before they are left out", () => {
    const at = (id: string, x: number, priority: number): Wish => ({
      id,
      priority,
      places: besides([x, 200], 10, { width_px: 60, height_px: 18 }),
    });
    const placed = placeLabels([at("a", 200, 1), at("b", 240, 2)], ROOM, [], NONE);
    expect([placed.get("b")?.place, placed.get("a")?.place]).toEqual([0, 1]);
  });

  it("of a rectangle stay in the part of it that is in sight, and need room in it", () => {
    const size = { width_px: 80, height_px: 18 };
    const [first] = within({ left: -300, top: -20, right: 300, bottom: 900 }, ROOM, size);
    expect(first).toEqual({ left: 10, top: 10, right: 90, bottom: 28 });
    expect(within({ left: 0, top: 0, right: 60, bottom: 60 }, ROOM, size)).toEqual([]);
    expect(within({ left: -9, top: -9, right: 900, bottom: 900 }, ROOM, size), "no edge in sight").toEqual([]);
  });
});
