import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Frame } from "../generated/bindings/Frame";
import { frame } from "../testing/fixtures";
import { type Host, HostError } from "./host";
import { LiveStore } from "./live-store";
import { TagInvalidator } from "./query";
import { startSession } from "./session";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Frames at these station times, a second apart; how often the session was asked for after each. */
async function check(frames_mono_ms: readonly number[], asked: readonly number[]) {
  let deliver: (frame: Frame) => void = () => undefined;
  let calls = 0;
  const host: Host = {
    call: async <Output>(name: string) => {
      if (name === "session_info") calls += 1;
      const answer =
        name === "session_info"
          ? { role: "admin", admin_until_mono_ms: calls === 1 ? 20_000 : null }
          : { robots: [], stops: [] };
      return answer as Output;
    },
    subscribe: (onFrame, onState) => {
      deliver = onFrame;
      onState(true);
      return () => undefined;
    },
  };
  const end = startSession(host, new LiveStore(), new TagInvalidator(new QueryClient()));
  const counts: number[] = [];
  for (const mono_ms of frames_mono_ms) {
    await vi.advanceTimersByTimeAsync(1_100);
    deliver(frame({ mono_ms }));
    await vi.advanceTimersByTimeAsync(1);
    counts.push(calls);
  }
  end();
  expect(counts).toEqual(asked);
}

it("asks for the role again once acting as Admin has run out, and not before", () =>
  check([19_999, 20_000, 21_000], [1, 2, 2]));

it("IS-02 falls back to the station's agent once the chosen one is gone", async () => {
  const asked: unknown[] = [];
  const host: Host = {
    call: async <Output>(name: string, input: unknown) => {
      if (name !== "session_info") return { robots: [], stops: [] } as Output;
      asked.push(input);
      if (asked.length === 1) throw new HostError("agent_not_found", "There is no such agent.", null, 404);
      return { role: "operator", agent: "main" } as Output;
    },
    subscribe: (_, onState) => {
      onState(true);
      return () => undefined;
    },
  };
  const store = new LiveStore();
  store.chooseAgent("gone");
  const end = startSession(host, store, new TagInvalidator(new QueryClient()));
  await vi.advanceTimersByTimeAsync(1_100);
  end();
  expect([asked.slice(0, 2), store.agent]).toEqual([[{ agent: "gone" }, {}], "main"]);
});
