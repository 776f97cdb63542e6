import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { fakeStation, renderWith } from "../../../testing/station";
import { LineTable } from "./LineTable";
import type { PlotField } from "./plot-fields";
import { lanesOf, type Newest } from "./plot-lanes";

const HEAT: PlotField = { kind: "world", key: "oven.heat", unit: "degC" };
const SMOKE: PlotField = { kind: "topic", topic: "lab/oven-1", path: "smoke" };

function valueOf(field: PlotField, newest: Newest, cursor_ms: number | null = null) {
  const line = { field, place: 0, points: [{ at_ms: -4_000, value: 180 }], threshold: null, newest };
  const lanes = lanesOf([line], 60_000);
  const acts = { onThreshold: () => undefined, onRemove: () => undefined };
  renderWith(fakeStation(), <LineTable lanes={lanes} cursor_ms={cursor_ms} {...acts} />);
  return screen.getAllByRole("cell")[0]?.textContent;
}

describe("U-102 the newest value in the table of a plot", () => {
  it("stands alone while it is current", () =>
    expect(valueOf(HEAT, { state: "live", age_ms: 200, held_to_ms: 0 })).toBe("180.0 °C"));
  it("says how old it is", () =>
    expect(valueOf(HEAT, { state: "stale", age_ms: 4_000, held_to_ms: -4_000 })).toBe("180.0 °C 4.0 s old"));
  it("always has its age where nobody knows from when on it is old", () =>
    expect(valueOf(SMOKE, { state: "live", age_ms: 4_000, held_to_ms: 0 })).toBe("180< 5.0 s"));
  it("is not said of a time at which it was not known any more", () =>
    expect(valueOf(HEAT, { state: "stale", age_ms: 4_000, held_to_ms: -4_000 }, -1_000)).toBe("–"));
});
