import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dated, freshness, type Freshness } from "./freshness";

const ORDER: readonly Freshness[] = ["live", "aging", "stale", "lost"];

function check(age_ms: number, expected: Freshness, change: Partial<Dated> = {}, station_lost = false) {
  const value = { observed_mono_ms: 10_000, max_age_ms: 1_000, source_lost: false, ...change };
  expect(freshness(value, 10_000 + age_ms, station_lost)).toBe(expected);
}

describe("U-501 freshness", () => {
  it("is live up to 0.7 of the maximum age", () => check(700, "live"));
  it("is aging just above 0.7", () => check(701, "aging"));
  it("is aging at the maximum age itself", () => check(1_000, "aging"));
  it("is stale just above the maximum age", () => check(1_001, "stale"));
  it("is stale at five maximum ages", () => check(5_000, "stale"));
  it("is lost beyond five", () => check(5_001, "lost"));
  it("is live when observed at this very moment", () => check(0, "live"));
  it("is live when the station clock stepped back", () => check(-5_000, "live"));
  it("is lost when its source is lost, however young", () => check(0, "lost", { source_lost: true }));
  it("is at best stale when the station is silent", () => check(0, "stale", {}, true));
  it("stays lost when the station is silent", () => check(9_000, "lost", {}, true));
  it("is stale when the age is not a number", () => check(Number.NaN, "stale"));
  it("is stale when the maximum age is not a number", () => check(0, "stale", { max_age_ms: Number.NaN }));
  it("is stale when the time of observation is not a number", () =>
    check(0, "stale", { observed_mono_ms: Number.NaN }));
  it("is never without a sample", () => expect(freshness(undefined, 1, false)).toBe("never"));
  it("is never before the first frame", () =>
    expect(freshness({ observed_mono_ms: 0, max_age_ms: 1, source_lost: false }, null, false)).toBe("never"));

  it("only gets worse as time passes", () => {
    const ms = fc.double({ min: 0, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(ms, ms, ms, ms, fc.boolean(), (observed_mono_ms, max_age_ms, now, later, lost) => {
        const value = { observed_mono_ms, max_age_ms, source_lost: false };
        const first = ORDER.indexOf(freshness(value, Math.min(now, later), lost));
        const second = ORDER.indexOf(freshness(value, Math.max(now, later), lost));
        return first >= 0 && first <= second;
      }),
    );
  });
});
