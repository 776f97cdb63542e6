import { describe, expect, it } from "vitest";
import { type Absence, closed, follow, HERE, type Seen, unreadReturn } from "./absence";

const seen = (change: Partial<Seen>): Seen => ({
  lost: false,
  hidden: false,
  now_ms: 0,
  known: { record: 7, alarm: 3 },
  ...change,
});
const through = (...all: Partial<Seen>[]): Absence => all.map(seen).reduce(follow, HERE);

describe("U-507 an absence", () => {
  it("begins with the loss of contact and keeps what was known then", () => {
    const back = through({ lost: true, now_ms: 1_000 }, { now_ms: 131_000, known: { record: 9, alarm: 4 } });
    expect(back).toEqual({
      at: "back",
      since_ms: 1_000,
      back_ms: 131_000,
      lost: true,
      gaps: [{ from: { record: 7, alarm: 3 }, to: null }],
    });
  });

  it.each([
    ["a short loss", { lost: true }, 4_999],
    ["a glance at another window", { hidden: true }, 59_999],
  ])("says nothing about %s", (_, away, back_ms) => {
    expect(through(away, { now_ms: back_ms })).toEqual(HERE);
  });

  it("lasts until there are both contact and sight, and counts as a loss once there was one", () => {
    const away = through({ hidden: true }, { hidden: true, lost: true, now_ms: 5 }, { hidden: true, now_ms: 9_000 });
    expect(away).toMatchObject({ at: "away", since_ms: 0, lost: true });
    expect(follow(away, seen({ now_ms: 10_000 }))).toMatchObject({ at: "back", lost: true });
  });

  it("stays until it is dismissed or another begins", () => {
    const back = through({ lost: true }, { now_ms: 6_000 });
    expect(follow(back, seen({ now_ms: 7_000 }))).toBe(back);
    expect(follow(back, seen({ lost: true, now_ms: 8_000 }))).toMatchObject({ at: "away", since_ms: 8_000 });
  });

  it("is not taken for read by a glance elsewhere", () => {
    const back = through({ lost: true }, { now_ms: 6_000 });
    const glance = follow(back, seen({ hidden: true, now_ms: 9_000 }));
    expect(unreadReturn(glance)).toBe(back);
    expect(follow(glance, seen({ now_ms: 11_000 }))).toBe(back);
  });

  it("that follows one nobody has dismissed adds to it, without what was seen in between", () => {
    const back = closed(through({ lost: true }, { now_ms: 6_000 }), { record: 8, alarm: 5 });
    const away = follow(back, seen({ hidden: true, now_ms: 10_000, known: { record: 20, alarm: 9 } }));
    expect(follow(away, seen({ now_ms: 80_000 }))).toEqual({
      at: "back",
      since_ms: 4_000,
      back_ms: 80_000,
      lost: true,
      gaps: [
        { from: { record: 7, alarm: 3 }, to: { record: 8, alarm: 5 } },
        { from: { record: 20, alarm: 9 }, to: null },
      ],
    });
  });

  it("that follows before anything was read is one gap with it", () => {
    const away = through({ lost: true }, { now_ms: 6_000 }, { hidden: true, now_ms: 6_100 });
    expect(follow(away, seen({ now_ms: 80_000 }))).toMatchObject({
      gaps: [{ from: { record: 7, alarm: 3 }, to: null }],
    });
  });
});
