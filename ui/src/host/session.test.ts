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

/** A session whose host answers when it is told to, with one snapshot under way. */
function underWay() {
  const waiting: { name: string; answer: (value: unknown) => void }[] = [];
  let deliver: (frame: Frame) => void = () => undefined;
  let tell: (connected: boolean) => void = () => undefined;
  const host: Host = {
    call: <Output>(name: string) =>
      new Promise<Output>((answer) => waiting.push({ name, answer: answer as (value: unknown) => void })),
    subscribe: (onFrame, onState) => {
      deliver = onFrame;
      tell = onState;
      onState(true);
      return () => undefined;
    },
  };
  const store = new LiveStore();
  const end = startSession(host, store, new TagInvalidator(new QueryClient()));
  const answer = async (session: object, safety: object = {}) => {
    for (const { name, answer: give } of waiting.splice(0))
      give(name === "session_info" ? session : { robots: [], stops: [], mode: "sim", ...safety });
    await vi.advanceTimersByTimeAsync(1);
  };
  return {
    store,
    answer,
    end,
    deliver: (part: Partial<Frame>) => deliver(frame(part)),
    tell: (on: boolean) => tell(on),
  };
}

const OPEN = { agent: "main", session: "desk", locked: false, mode: "sim" };

it("keeps the lock over an answer that was on its way when the desk was locked", async () => {
  const { store, answer, end } = underWay();
  store.applySession({ ...OPEN, locked: true } as never);
  await answer(OPEN);
  expect(store.session?.locked).toBe(true);
  await vi.advanceTimersByTimeAsync(1_100);
  await answer({ ...OPEN, locked: true, actor: "dana" });
  expect(store.session).toMatchObject({ locked: true, actor: "dana" });
  end();
});

it("keeps a mode and a link that were told while an older snapshot was on its way", async () => {
  const { store, answer, deliver, end } = underWay();
  deliver({ facts: [{ kind: "link", robot: "arm-1", link: "lost", rtt_ms: null }] });
  await answer(OPEN, { robots: [{ robot: "arm-1", link: "live" }] });
  expect(store.links.get("arm-1")?.link).toBe("lost");
  await vi.advanceTimersByTimeAsync(1_100);
  deliver({ tags: ["robots"] });
  deliver({ facts: [{ kind: "mode", mode: "live" }] });
  await answer(OPEN);
  expect(store.mode).toBe("live");
  end();
});

it.each([
  ["contact comes back", ({ tell }: ReturnType<typeof underWay>) => [tell(false), tell(true)]],
  ["events were missed", ({ deliver }: ReturnType<typeof underWay>) => deliver({ facts: [{ kind: "resync" }] })],
])("no longer says that a turn runs once %s", async (_, happen) => {
  const session = underWay();
  const event = { turn_started: { model: { name: "small", kind: "language" } } } as never;
  session.deliver({ facts: [{ kind: "turn", agent: "main", session: "desk", turn: "t-1", event }] });
  expect(session.store.turn?.turn).toBe("t-1");
  happen(session);
  expect(session.store.turn).toBeNull();
  session.end();
});

it("asks again once a snapshot has not been answered in time", async () => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), ms);
    return controller.signal;
  });
  let asked = 0;
  const host: Host = {
    call: (name, _input, signal) => {
      if (name === "session_info") asked += 1;
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    },
    subscribe: (_, onState) => {
      onState(true);
      return () => undefined;
    },
  };
  const end = startSession(host, new LiveStore(), new TagInvalidator(new QueryClient()));
  await vi.advanceTimersByTimeAsync(12_000);
  expect(asked).toBe(2);
  end();
  vi.restoreAllMocks();
});
