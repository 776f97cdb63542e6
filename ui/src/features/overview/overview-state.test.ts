import { describe, expect, it } from "vitest";
import { troubleOf } from "./overview-state";

const fine = { errors: [], state: "disarmed" as const };

describe("U-804 all normal", () => {
  it("is possible while everything required is current", () =>
    expect(troubleOf(fine, "live", ["live", "aging"])).toBeNull());
  it.each(["stale", "lost", "never"] as const)("is impossible while a required signal is %s", (state) =>
    expect(troubleOf(fine, "live", [state])).toBe("stale"),
  );
  it.each([
    ["late", "link_late"],
    ["lost", "link_lost"],
    ["never", "link_never"],
  ] as const)("is impossible while a link is %s", (link, trouble) =>
    expect(troubleOf(fine, link, ["live"])).toBe(trouble),
  );
  it("is impossible while a robot is stopped", () =>
    expect(troubleOf({ ...fine, state: "safe_stop" }, "live", [])).toBe("stopped"));
  it("is impossible while a robot is held", () =>
    expect(troubleOf({ ...fine, state: "hold" }, "live", [])).toBe("held"));
  it("is impossible with an invalid manifest", () =>
    expect(troubleOf({ ...fine, errors: ["no E-stop"] }, "live", [])).toBe("errors"));
});
