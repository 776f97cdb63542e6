import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { frame, proposal } from "../../testing/fixtures";
import { type FakeStation, fakeStation, renderWith } from "../../testing/station";
import { ProposalCard } from "./ProposalCard";

/** The browser's own, which is not in jsdom: tells what the test says of everything that is watched. */
const watchers = new Set<(...inSight: boolean[]) => void>();
let begun = 0;
class Observer {
  readonly #tell: (...inSight: boolean[]) => void;
  constructor(heard: IntersectionObserverCallback) {
    this.#tell = (...inSight) =>
      heard(
        inSight.map((isIntersecting) => ({ isIntersecting }) as IntersectionObserverEntry),
        this as unknown as IntersectionObserver,
      );
  }
  observe(): void {
    begun += 1;
    watchers.add(this.#tell);
  }
  disconnect(): void {
    watchers.delete(this.#tell);
  }
}

let visibility: DocumentVisibilityState = "visible";
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IntersectionObserver", Observer);
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  visibility = "visible";
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const scrollTo = (...inSight: boolean[]) => act(() => watchers.forEach((tell) => tell(...inSight)));
const said = ({ asked }: FakeStation) =>
  asked.filter(({ name }) => name === "proposal_shown").map(({ input }) => input);

function show(session: { locked?: boolean } = {}, state: "waiting" | "done" = "waiting"): FakeStation {
  const station = fakeStation({ proposal_shown: { id: "pr-1", counts: true }, approve_proposal: {} }, session);
  renderWith(station, <ProposalCard proposal={proposal({ state })} asked_ms={0} />);
  act(() => {
    station.store.setConnected(true);
    station.store.applyFrame(frame({}), performance.now());
  });
  return station;
}

it("a card in sight is told to the station, and again while it stays there", async () => {
  const station = show();
  expect(said(station)).toEqual([]);
  scrollTo(true);
  expect(said(station)).toEqual([{ id: "pr-1" }]);
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(said(station)).toHaveLength(2);
  scrollTo(false);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(said(station)).toHaveLength(2);
});

it("a card that is drawn anew goes on being watched by the same observer", () => {
  show();
  const before = begun;
  fireEvent.click(screen.getByTestId("reject"));
  expect(begun).toBe(before);
});

it("a card that was scrolled in and out at once is told to nobody", () => {
  const station = show();
  scrollTo(true, false);
  expect(said(station)).toEqual([]);
});

it("a card in a hidden window is told once the window is looked at", () => {
  visibility = "hidden";
  const station = show();
  scrollTo(true);
  expect(said(station)).toEqual([]);
  visibility = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  expect(said(station)).toEqual([{ id: "pr-1" }]);
});

it.each([
  ["on a locked screen", show.bind(null, { locked: true }, "waiting")],
  ["that is decided", show.bind(null, {}, "done")],
])("a card %s is told to nobody", (_, shown) => {
  const station = shown();
  scrollTo(true);
  expect(said(station)).toEqual([]);
});
