import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshness } from "./freshness";
import { shownAge } from "./shown-age";

describe("U-2606 an age on screen", () => {
  it.each([
    ["live", 40, 1_000, "< 0.7 s"],
    ["live", 699, 1_000, "< 0.7 s"],
    ["live", 100, 500, "< 0.4 s"],
    ["live", 1_100, 30_000, "< 2.0 s"],
    ["live", 15_000, 30_000, "< 20 s"],
    ["live", 20_500, 30_000, "< 21 s"],
    ["live", 5_000, 600_000, "< 10 s"],
    ["live", 250_000, 600_000, "4 min 0 s"],
    ["aging", 840, 1_000, "0.8 s"],
    ["stale", 2_740, 1_000, "2.5 s"],
    ["lost", 34_900, 1_000, "34 s"],
    ["stale", Number.NaN, 1_000, "–"],
  ] as const)("of a %s value, %d ms old of %d, reads %s", (state, age_ms, max_age_ms, text) =>
    expect(shownAge(state, age_ms, max_age_ms)).toBe(text),
  );

  it("stays as it is while a source keeps sending", () => {
    const ages = fc.array(fc.integer({ min: 0, max: 699 }), { minLength: 2 });
    fc.assert(
      fc.property(ages, (seen) => {
        expect(new Set(seen.map((age) => shownAge("live", age, 1_000))).size).toBe(1);
      }),
    );
  });

  it("never claims a live value to be younger than it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 100, max: 60_000 }), (age_ms, max_age_ms) => {
        const state = freshness({ observed_mono_ms: 0, max_age_ms, source_lost: false }, age_ms, false);
        fc.pre(state === "live");
        const bound_s = Number.parseFloat(shownAge(state, age_ms, max_age_ms).slice(2));
        expect(bound_s * 1_000).toBeGreaterThanOrEqual(age_ms);
      }),
    );
  });
});
