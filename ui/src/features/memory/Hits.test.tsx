import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { MemoryHit } from "../../generated/bindings/MemoryHit";
import { fakeStation, renderWith } from "../../testing/station";
import { Hits } from "./Hits";

// The press itself is tested where it is made.
vi.mock("../../design/components/HoldButton", () => ({
  HoldButton: ({ testId, onAct }: { testId: string; onAct: () => void }) => (
    <button type="button" data-testid={testId} onClick={onAct} />
  ),
}));

const hit = (id: string): MemoryHit => ({
  id,
  at: "2026-02-20T13:03:22.180Z",
  age_days: 0.4,
  role: "alert",
  content: `Record ${id}`,
  origin: "sensor(gate)",
  trust: "typed",
  mission: null,
  cause: null,
  score: 3,
  relevance: 3,
});

const GONE = { forgotten: 1, tombstone: "tb-1", places: {}, stays: [], recordings: [], searched: false };

function show() {
  let refetched = 0;
  const memory_forget = ({ dry_run }: { dry_run: boolean }) =>
    dry_run
      ? { message: "Would", items: [{ id: "a", content: "Record a" }], places: [] }
      : { message: "Gone", ...GONE };
  const station = fakeStation({ memory_forget }, { role: "admin" });
  const { settled } = renderWith(
    station,
    <Hits
      hits={[hit("a"), hit("b")]}
      partial={false}
      keywordOnly={false}
      query="record"
      onForgotten={() => (refetched += 1)}
    />,
  );
  return { station, settled, refetched: () => refetched };
}

const mark = (place: number) => fireEvent.click(screen.getAllByRole("checkbox")[place] ?? document.body);
const click = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId), { detail: 0 }));

async function preview() {
  mark(0);
  await click("memory-forget");
  fireEvent.change(screen.getByTestId("memory-reason"), { target: { value: "asked" } });
  await act(async () => void fireEvent.submit(screen.getByTestId<HTMLInputElement>("memory-reason").form ?? document));
}

it("E2-11 what was marked after the preview cannot be forgotten with it", async () => {
  const { settled } = show();
  await preview();
  await settled();
  expect(screen.getByTestId("would-go").textContent).toBe("Record a");
  mark(1);
  expect([screen.queryByTestId("would-go"), screen.queryByTestId("memory-forget-submit")]).toEqual([null, null]);
});

it("what was forgotten is marked no longer, and looked for again at once", async () => {
  const { settled, refetched } = show();
  await preview();
  await settled();
  await click("memory-forget-submit");
  await settled();
  expect([
    screen.getByTestId("forgotten").textContent?.includes("tb-1"),
    screen.getAllByRole<HTMLInputElement>("checkbox").map(({ checked }) => checked),
    refetched(),
  ]).toEqual([true, [false, false], 1]);
});
