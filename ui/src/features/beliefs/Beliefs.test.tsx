import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { HostError } from "../../host/host";
import { fakeStation, renderWith } from "../../testing/station";
import { BeliefList } from "./BeliefList";
import { marksOf } from "./belief-marks";
import { beliefHistory, beliefRow, historyRow } from "./fixtures";
import { MarkTable } from "./MarkTable";
import { Timeline } from "./Timeline";

const list = <BeliefList filter="all" selected={undefined} />;

it("beliefs of one agent never stand for those of another", async () => {
  const never = new Promise(() => undefined);
  const list_beliefs = ({ agent }: { agent: string }) => (agent === "main" ? [beliefRow()] : never);
  const station = fakeStation({ list_beliefs });
  renderWith(station, list);
  await screen.findByTestId("belief-door-is_open");
  act(() => station.store.chooseAgent("night-watch"));
  expect(screen.queryByTestId("belief-door-is_open")).toBeNull();
});

it("a next page that fails is told, and asked for again by a person alone", async () => {
  const page = Array.from({ length: 1_000 }, (_, place) =>
    beliefRow({ id: `belief-${place}`, subject: place < 20 ? "door" : "window", predicate: `is_open_${place}` }),
  );
  const list_beliefs = ({ after }: { after?: string }) => {
    if (after === undefined) return page;
    throw new HostError("busy", "Not now.", null, 429);
  };
  const station = fakeStation({ list_beliefs });
  renderWith(station, list);
  // With the long subject closed the end is in sight.
  fireEvent.click(await screen.findByTitle("window"));
  const asked = () => station.asked.filter(({ input }) => "after" in (input as object)).length;
  await screen.findByText("code busy", {}, { timeout: 5_000 });
  const before = asked();
  fireEvent.click(screen.getByTitle("door"));
  fireEvent.click(screen.getByTitle("door"));
  expect(asked()).toBe(before);
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
});

it("U-2004 a new row leaves the reader of the table at the one they read", () => {
  const marksUpTo = (count: number) =>
    marksOf(beliefHistory(Array.from({ length: count }, (_, at) => historyRow(at, 0.9))));
  const page = (count: number) => <MarkTable marks={marksUpTo(count)} selected={null} onOpen={() => undefined} />;
  const { rerender } = render(page(300));
  const scroll = screen.getByTestId("mark-scroll");
  rerender(page(301));
  expect(scroll.scrollTop).toBe(0);
  scroll.scrollTop = 640;
  rerender(page(303));
  expect(scroll.scrollTop).toBe(640 + 2 * 32);
});

it("U-1405 the wheel keeps the time under the pointer, and a drag takes it along", () => {
  const history = beliefHistory([historyRow(0, 0.9), historyRow(1_000, 0.8)]);
  renderWith(
    fakeStation(),
    <Timeline
      history={history}
      marks={[]}
      now={1_000}
      silent={false}
      selected={null}
      onSelect={() => undefined}
      onOpen={() => undefined}
    />,
  );
  const field = screen.getByTestId("timeline");
  const span = () => [Number(field.dataset["from"]), Number(field.dataset["to"])] as const;
  // The plot of a drawing 640 px wide: from 128 px to 628 px.
  const timeAt = (px: number) => span()[0] + ((px - 128) / 500) * (span()[1] - span()[0]);
  const under = timeAt(378);
  for (const _ of [1, 2]) fireEvent.wheel(field, { deltaY: -1, clientX: 378 });
  expect(Math.abs(timeAt(378) - under)).toBeLessThan(3);
  const grabbed = timeAt(300);
  fireEvent.pointerDown(field, { button: 0, clientX: 300 });
  fireEvent.pointerMove(field, { buttons: 1, clientX: 350 });
  expect(Math.abs(timeAt(350) - grabbed)).toBeLessThan(3);
});
