import { describe, expect, it } from "vitest";
import { type Reports, STEPS, stepsDone } from "./first-steps";

const NOTHING: Reports = { live: false, armed: false, verdicts: [], proposals: [], audit: [] };
const done = (change: Partial<Reports>) => [...stepsDone({ ...NOTHING, ...change })];

describe("U-1803 FU-20 the first steps tick themselves by what the station reports", () => {
  it("nothing is done at first", () => expect(done({})).toEqual([]));
  it.each<[string, Partial<Reports>, string[]]>([
    ["a robot answers", { live: true }, ["see"]],
    ["a robot is armed", { armed: true }, ["arm"]],
    ["a goal was allowed", { verdicts: [{ overall: "allow" }] }, ["goal"]],
    ["a goal was denied", { verdicts: [{ overall: "deny" }] }, ["goal", "denial"]],
    ["a card waits", { proposals: [{ state: "waiting" }] }, ["goal"]],
    ["a card was rejected", { proposals: [{ state: "rejected" }] }, ["goal"]],
    ["a card was approved", { proposals: [{ state: "done" }] }, ["goal", "approve"]],
    ["a stop was released", { audit: [{ operation: "release_stop", outcome: "ok" }] }, ["stop"]],
    ["a release was refused", { audit: [{ operation: "release_stop", outcome: "refused" }] }, []],
  ])("%s", (_, change, steps) => expect(done(change)).toEqual(steps));
  it("has a step for each part of the first minutes", () => expect(STEPS).toHaveLength(6));
});
