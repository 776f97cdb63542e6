import { expect, it } from "vitest";
import { stepAfter, stepOf, stepsDone } from "./steps";

it("U-1801 FU-20 the steps tick themselves by what the station reports", () => {
  const done = (change: object) => [
    ...stepsDone({ accepted: false, robots: 0, mode: null, has_model: false, ...change }),
  ];
  expect(done({})).toEqual([]);
  expect(done({ accepted: true })).toEqual(["stop"]);
  expect(done({ robots: 4, mode: "ask" })).toEqual(["robots", "agent"]);
  expect(done({ accepted: true, robots: 1, mode: "watch", has_model: true })).toEqual([
    "stop",
    "robots",
    "agent",
    "model",
  ]);
});

it("U-1801 opens where something is to do, or where the address says", () => {
  expect(stepOf(undefined, new Set())).toBe("stop");
  expect(stepOf(undefined, new Set(["stop", "agent"]))).toBe("robots");
  expect(stepOf("agent", new Set())).toBe("agent");
  expect(stepOf("nonsense", new Set(["stop"]))).toBe("robots");
  expect(stepOf(undefined, new Set(["stop", "robots", "agent", "model"]))).toBe("model");
  expect(stepAfter("stop")).toBe("robots");
  expect(stepAfter("model")).toBeNull();
});
