import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { RoundResults } from "./RoundResults";

describe("RG-31 the rounds of a step", () => {
  it("show each joint with its way and its time beside what was commanded and allowed", () => {
    const joint = { actuator: "arm", joint: "elbow_joint", commanded: -0.1, measured: -0.04, time_ms_max: 400 };
    render(
      <RoundResults
        joints={[{ ...joint, outcome: "passed", time_ms: 120 }]}
        means={[]}
        rows={[{ name: "elbow_joint", unit: "rad", position: [-1, 1] }]}
      />,
    );
    expect(screen.getByTestId("joint-elbow_joint").textContent).toBe(
      "elbow_joint: Passed · −0.040 rad of −0.100 rad · 120 ms of at most 400 ms",
    );
  });

  it("show each means of stopping by its name, and one that failed without a time", () => {
    render(
      <RoundResults
        joints={[]}
        rows={[]}
        means={[
          { means: "lock", outcome: "stops_nothing", time_ms: null, distance_m: null, time_ms_max: 900 },
          { means: { service: "/halt" }, outcome: "no_answer", time_ms: null, distance_m: null, time_ms_max: 900 },
        ]}
      />,
    );
    expect(screen.getAllByTestId("means-result").map(({ textContent }) => textContent)).toEqual([
      "Lock of the mux: stops nothing by itself, as expected",
      "Service /halt: no answer",
    ]);
  });
});
