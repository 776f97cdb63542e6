import { act } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeStation, renderWith } from "../testing/station";
import { useScreenAlive } from "./useScreenAlive";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), ms);
    return controller.signal;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function Alive() {
  useScreenAlive();
  return null;
}

it("leaves connections free for STOP ALL while nobody answers its heartbeats", () => {
  const station = fakeStation();
  let [sent, open] = [0, 0];
  station.host.call = (_name, _input, signal) =>
    new Promise((_, reject) => {
      sent += 1;
      open += 1;
      signal?.addEventListener("abort", () => {
        open -= 1;
        reject(signal.reason);
      });
    });
  renderWith(station, <Alive />);
  act(() => void vi.advanceTimersByTime(30_000));
  expect([sent, open]).toEqual([31, 3]);
});
