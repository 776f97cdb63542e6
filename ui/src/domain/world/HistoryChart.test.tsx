import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { WorldPoint } from "../../generated/bindings/WorldPoint";
import { inGerman } from "../../testing/german";
import { fakeStation, renderWith } from "../../testing/station";
import { HistoryChart } from "./HistoryChart";

const point = (at_ms: number, kind: WorldPoint["kind"], value: WorldPoint["value"]): WorldPoint => ({
  kind,
  value,
  confidence: null,
  observed_ms: at_ms,
  received_ms: at_ms,
  source: "lab/cam-1",
});
const HISTORY = [
  point(0, "value", "hallway"),
  point(60_000, "contest", true),
  point(75_000, "freshness", "stale"),
  point(90_000, "freshness", "lost"),
];

const show = (history: readonly WorldPoint[]) =>
  renderWith(fakeStation(), <HistoryChart history={history} unit={null} from_ms={0} to_ms={100_000} />);

const lines = () => screen.getAllByRole("row", { hidden: true }).map((row) => row.children[1]?.textContent);

describe("U-1101 a history of words", () => {
  it("is hatched where the word was old", () => {
    show(HISTORY);
    const { insetInlineStart, insetInlineEnd } = screen.getByTestId("history-old").style;
    expect([insetInlineStart, insetInlineEnd]).toEqual(["75%", "0%"]);
  });

  it("says how many of its lines are listed where those are not all", () => {
    show(Array.from({ length: 60 }, (_, at) => point(at, "value", at)));
    expect([screen.getByText("The newest 50 are listed."), lines()[1]]).toEqual([expect.anything(), "59"]);
  });

  describe("in a German window", () => {
    inGerman();
    it("has no English word", () => {
      show(HISTORY);
      expect(lines()).toEqual(["Was", "verloren", "veraltet", "umstritten: ja", "hallway"]);
    });
  });
});
