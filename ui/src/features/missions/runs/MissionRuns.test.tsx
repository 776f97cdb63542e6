import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { MissionRun } from "../../../generated/bindings/MissionRun";
import { TagInvalidator } from "../../../host/query";
import { fakeStation, renderWith } from "../../../testing/station";
import { MissionRuns } from "./MissionRuns";

const run = (number: number): MissionRun => ({
  number,
  goals: [],
  trigger: "",
  started_ms: 0,
  ended_ms: 1,
  outcome: "done",
  goals_done: 0,
  goals_total: 0,
});

it("U-1013 shows every run once, also after a new one has moved the pages", async () => {
  let newest = 50;
  const station = fakeStation({
    list_mission_runs: ({ before = newest + 1, limit }: { before?: number; limit: number }) => {
      const numbers = Array.from({ length: before - 1 }, (_, at) => before - 1 - at);
      const runs = numbers.slice(0, limit).map(run);
      return { runs, next: numbers.length > limit ? (runs.at(-1)?.number ?? null) : null };
    },
  });
  const { queries, settled } = renderWith(station, <MissionRuns id="patrol" />);
  await settled();
  const numbers = () => screen.getAllByTestId(/^run-\d+$/u).map(({ dataset }) => Number(dataset["testid"]?.slice(4)));
  fireEvent.click(screen.getByTestId("runs-older"));
  await settled();
  fireEvent.click(screen.getByTestId("runs-older"));
  await settled();
  expect([numbers().length, screen.queryByTestId("runs-older")]).toEqual([50, null]);
  newest = 52;
  act(() => new TagInvalidator(queries).invalidate(["mission:patrol"]));
  await settled();
  expect(numbers()).toEqual(Array.from({ length: 52 }, (_, at) => 52 - at));
});
