import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EntryLine } from "../../bindings/EntryLine";
import type { Event as TurnEvent } from "../../bindings/Event";
import { frame } from "../../shared/testing/fixtures";
import { fakeStation, renderWith } from "../../shared/testing/station";
import { AgentDock } from "./AgentDock";

beforeEach(() => localStorage.clear());
afterEach(() => void vi.useRealTimers());

const LANGUAGE = { name: "small", kind: "language" } as const;

function entry(id: number, change: Partial<EntryLine>): EntryLine {
  return { id, epoch: 0, at_ms: 1_000 + id, kind: "user", role: "user", origin: "operator(dana)", trust: "trusted", content: "", ...change };
}

async function show(entries: readonly EntryLine[] = [], { session = {}, answers = {} }: { session?: object; answers?: Record<string, unknown> } = {}) {
  const station = fakeStation(
    { list_agents: [], list_missions: [], list_proposals: [], get_transcript: { session: "s-1", entries, running: null }, add_budget: {}, set_mode: {}, ...answers },
    session,
  );
  renderWith(station, <AgentDock />);
  await screen.findByTestId("composer");
  let at_ms = 0;
  /** Events of the turn `t-1`, a moment apart. */
  const happen = (...events: TurnEvent[]) => {
    at_ms += 100;
    const facts = events.map((event) => ({ kind: "turn", agent: "main", session: "s-1", turn: "t-1", event }) as never);
    act(() => station.store.applyFrame(frame({ mono_ms: 10_000 + at_ms, facts }), performance.now()));
  };
  return { station, happen };
}

const said = () => screen.getAllByTestId("agent-says").map((row) => row.textContent);

describe("U-401 V-01 a reply that streams", () => {
  it("grows as one text, with what answers on it and a mark where the next words will stand", async () => {
    const { happen } = await show();
    happen({ turn_started: { trigger: "operator", model: LANGUAGE } }, { text_delta: { text: "The **arm" } });
    happen({ text_delta: { text: "** is ready." } });
    expect([said(), screen.getByTestId("agent-says").dataset["streaming"], document.querySelector("strong")?.textContent]).toEqual([["AgentThe arm is ready.small"], "true", "arm"]);
  });

  it("begins anew when its provider failed, and says why", async () => {
    const { happen } = await show();
    happen({ turn_started: { trigger: "operator", model: LANGUAGE } }, { text_delta: { text: "The a" } }, { restart: { reason: "The provider is busy.", wait_ms: 500 } });
    expect(said()).toEqual(["AgentStarting again: The provider is busy.small"]);
  });

  it("keeps its thoughts closed", async () => {
    const { happen } = await show();
    happen({ thinking_delta: { text: "Which robot " } }, { thinking_delta: { text: "is it?" } });
    expect([screen.getByTestId<HTMLDetailsElement>("thinking").open, screen.getByText("Which robot is it?").tagName]).toEqual([false, "P"]);
  });

  it("is not shown twice once it is stored", async () => {
    const { happen } = await show([entry(1, { content: "hello" }), entry(2, { kind: "assistant", content: "Hello." })]);
    happen({ delivered: { entry: 2, text: "Hello.", model: LANGUAGE } });
    expect(said()).toHaveLength(1);
  });

  it("is not shown twice when it is stored before it is told, not even the words before a call", async () => {
    const reply = (id: number, content: string) => entry(id, { kind: "assistant", content, turn: "t-1" });
    const { happen } = await show([entry(1, { content: "hello" }), reply(2, "I look."), reply(4, "Hello.")]);
    happen({ text_delta: { text: "I look." } }, { call_started: { call: "c-1", name: "list_robots", args: {}, effect: "read" } }, { text_delta: { text: "Hello." } });
    expect(said()).toHaveLength(2);
  });

  it("U-912 is announced by sentences, and the log itself stays silent", async () => {
    const { happen } = await show();
    const heard = () => screen.getByTestId("announced").textContent;
    happen({ text_delta: { text: "The arm is" } });
    expect([heard(), screen.getByRole("log").getAttribute("aria-live")]).toEqual(["", "off"]);
    happen({ text_delta: { text: " ready. It wai" } });
    expect(heard()).toBe("The arm is ready.");
    happen({ delivered: { entry: 2, text: "The arm is ready. It waits.", model: LANGUAGE } });
    expect(heard()).toBe("It waits.");
  });
});

it("U-912 a reply is announced as a whole where a desk has chosen that", async () => {
  const { happen } = await show();
  fireEvent.click(screen.getByTestId("conversations"));
  fireEvent.click(screen.getByRole("button", { name: "Whole replies" }));
  happen({ text_delta: { text: "The arm is ready. It wai" } });
  expect(screen.getByTestId("announced").textContent).toBe("");
  happen({ delivered: { entry: 2, text: "The arm is ready. It waits.", model: LANGUAGE } });
  expect([screen.getByTestId("announced").textContent, screen.getByRole("button", { name: "Whole replies" }).getAttribute("aria-pressed")]).toEqual(["The arm is ready. It waits.", "true"]);
});

describe("V-02 the rows", () => {
  const called = (change: Partial<EntryLine> = {}): EntryLine[] => [
    entry(1, { kind: "assistant", tool_calls: [{ id: "c1", type: "function", function: { name: "cam__read", arguments: '{"robot":"arm-1"}' } }] }),
    entry(4, { kind: "tool_result", tool_call_id: "c1", origin: "tool(cam__read)", trust: "text", content: "**stop all** <b>now</b>", ...change }),
  ];

  it("U-903 words from elsewhere are quoted with their origin, and are neither markdown nor HTML", async () => {
    await show([...called(), entry(5, { trust: "text", origin: "room(ops)", content: "# go [home](https://evil.example)" })]);
    const quoted = screen.getAllByTestId("quoted");
    expect(quoted.map((row) => row.textContent)).toEqual(["Quoted from tool(cam__read)**stop all** <b>now</b>", expect.stringContaining("# go [home](https://evil.example)")]);
    expect(document.querySelector("[data-testid=quoted] :is(b, strong, h1, a)")).toBeNull();
  });

  it("U-901 a tool says verb, target and result, and opens to its arguments", async () => {
    await show(called({ trust: "trusted", content: '{"items":[1,2]}' }));
    const tool = screen.getByTestId<HTMLDetailsElement>("tool");
    expect([tool.querySelector("summary")?.textContent, tool.open]).toEqual(["read (cam)arm-12 items", false]);
    expect(tool.textContent).toContain("took 3 ms");
  });

  it("a running tool shows its time from 2 s on", async () => {
    const { station, happen } = await show();
    const clock = (local_ms: number) => act(() => station.store.applyFrame(frame({ mono_ms: local_ms }), local_ms));
    clock(50_000);
    act(() =>
      station.store.applyFrame(frame({ mono_ms: 50_000, facts: [{ kind: "turn", agent: "main", session: "s-1", turn: "t-1", event: { call_started: { call: "c9", name: "list_robots", args: {}, effect: "read" } } } as never] }), 50_000),
    );
    clock(51_900);
    expect(screen.queryByTestId("running-time")).toBeNull();
    clock(53_000);
    expect(screen.getByTestId("running-time").textContent).toBe(" · 3 s");
    happen({ call_ended: { call: "c9", name: "list_robots", is_error: false, duration_ms: 3_100 } });
    expect(screen.queryByTestId("running-time")).toBeNull();
  });

  it("its time goes on by the window's clock alone, also once the call is stored", async () => {
    const [call] = called();
    const { station, happen } = await show(call ? [call] : []);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    const stop = station.store.startTicker(() => performance.now());
    happen({ call_started: { call: "c1", name: "cam__read", args: {}, effect: "read" } });
    const shownAfter = (ms: number) => {
      act(() => void vi.advanceTimersByTime(ms));
      return screen.queryByTestId("running-time")?.textContent;
    };
    expect([shownAfter(1_750), shownAfter(250), shownAfter(1_000), shownAfter(62_000)]).toEqual([undefined, " · 2 s", " · 3 s", " · 1 min 5 s"]);
    stop();
  });

  it("U-902 a reply carries what it rests on, as old as it was, and says if that reads otherwise now", async () => {
    const { station } = await show([
      entry(1, { kind: "volatile", content: '[World State]\nperson.location = "hallway" (confidence: 0.92, age: 3s)' }),
      entry(2, { kind: "assistant", content: "The person is in the hallway." }),
    ]);
    const chip = () => screen.getByTestId("evidence-person.location");
    expect([chip().textContent, chip().getAttribute("href"), chip().title]).toEqual([
      "person.location = hallway · 0.92 · 3 s old at this turn",
      "/world/key/person.location",
      "Shown to the agent in entry 1 as person.location",
    ]);
    const now = { id: "world/main/person.location", value: "kitchen", unit: null, observed_mono_ms: 1, max_age_ms: 1_000, age_basis: "source", origin: "measured", source_lost: false };
    act(() => station.store.applyFrame(frame({ signals: [now as never] }), performance.now()));
    expect(chip().textContent).toBe("person.location = hallway · 0.92 · 3 s old at this turn · changed since");
  });

  it("arrows go from entry to entry, Enter opens one", async () => {
    await show([entry(0, { content: "look" }), ...called()]);
    const log = screen.getByRole("log");
    log.focus();
    fireEvent.keyDown(log, { key: "ArrowUp" });
    const row = document.activeElement as HTMLElement;
    expect(row.dataset["row"]).toBe("tool");
    fireEvent.keyDown(row, { key: "Enter" });
    expect(screen.getByTestId<HTMLDetailsElement>("tool").open).toBe(true);
    fireEvent.keyDown(row, { key: "ArrowUp" });
    expect((document.activeElement as HTMLElement).dataset["row"]).toBe("operator");
  });
});

describe("V-05 the header", () => {
  const row = { id: "main", session: "s-1", model: LANGUAGE, mode: "ask", running: null };

  it("M-01 names the interpreter as what it is, also on each reply", async () => {
    await show([entry(2, { kind: "assistant", content: "4 robots", model: { name: "quarterdeck-commands", kind: "interpreter" } })]);
    expect([screen.getByTestId("agent-model").textContent, screen.getByTestId("answered-by").textContent]).toEqual([
      "Command interpreter – not a language model",
      "Command interpreter – not a language model",
    ]);
  });

  it("M-01 names on a reply what found it, whatever was chosen since", async () => {
    await show([entry(2, { kind: "assistant", content: "4 robots", model: LANGUAGE }), entry(3, { kind: "assistant", content: "5 robots" })]);
    expect(screen.getAllByTestId("answered-by").map((name) => name.textContent)).toEqual(["small"]);
  });

  it("says what was spent, what taints, and that no model answers", async () => {
    const answers = {
      list_agents: [{ ...row, offline: "Nothing answers at 127.0.0.1." }],
      list_model_calls: { calls: [], is_cut: false, today: "2026-03-08", day: { spent_microusd: 120_000, unknown_calls: 2, limit_microusd: 5_000_000 } },
    };
    await show([entry(1, { kind: "tool_result", origin: "tool(depot__read)", trust: "text", at_ms: Date.now() - 45_030_000 })], { answers });
    expect((await screen.findByTestId("spent")).textContent).toBe("spent today $0.12 of $5.00 and 2 calls of unknown price");
    expect([screen.getByTestId("agent-tainted").textContent, screen.getByTestId("agent-offline").textContent]).toEqual(["tainted since 12 h 30 min by tool(depot__read)", "offline – rules and stop still work Nothing answers at 127.0.0.1."]);
  });

  it("P-14 a person sets the mode, and it is drawn as the station says", async () => {
    const missions = [{ id: "patrol", status: "active" }, { id: "old", status: "completed" }];
    const { station } = await show([], { answers: { list_missions: missions } });
    const mode = screen.getByTestId<HTMLSelectElement>("agent-mode");
    await screen.findByText("Within standing approvals of patrol");
    expect([...mode.options].map(({ text }) => text)).toEqual(["Observe only", "Ask for everything", "Ask for motion", "Within standing approvals of patrol"]);
    await act(async () => void fireEvent.change(mode, { target: { value: "run:patrol" } }));
    expect([station.asked.find(({ name }) => name === "set_mode")?.input, mode.value]).toEqual([{ mode: "run:patrol", agent: "main" }, "ask"]);
  });
});

describe("V-04 a summary", () => {
  it("is put in other words by a person, the newest one only", async () => {
    const summary = (id: number, content: string) => entry(id, { kind: "summary", origin: "agent", content });
    const { station } = await show([summary(1, "We moved the arm."), summary(2, "We moved it twice.")], { answers: { edit_summary: { session: "s-1", entry: 4 } } });
    fireEvent.click(screen.getByTestId("summary-edit"));
    expect(screen.getByTestId<HTMLButtonElement>("summary-save").disabled).toBe(true);
    fireEvent.change(screen.getByTestId("summary-text"), { target: { value: "We moved it three times." } });
    await act(async () => void fireEvent.click(screen.getByTestId("summary-save")));
    expect(station.asked.find(({ name }) => name === "edit_summary")?.input).toEqual({ entry: 2, text: "We moved it three times.", agent: "main" });
    expect(screen.queryByTestId("summary-text")).toBeNull();
  });
});

describe("K-04 a spent budget", () => {
  it("is still there after a restart, and goes on under its name", async () => {
    const paused = [{ turn: "t-9", session: "s-1", meter: "turn" }, { turn: "t-8", session: "s-2", meter: "day" }];
    const row = { id: "main", session: "s-1", model: LANGUAGE, mode: "ask", running: null, paused };
    const { station } = await show([], { answers: { list_agents: [row], turn_cancel: { message: "Turn cancelled" } } });
    expect((await screen.findByTestId("paused")).textContent).toContain("The budget of this reply is spent.");
    await act(async () => void fireEvent.click(screen.getByTestId("add-budget")));
    expect(station.asked.find(({ name }) => name === "add_budget")?.input).toEqual({ meter: "turn", usd: 1, turn: "t-9", agent: "main" });
  });

  it("ends what waits when a person says so", async () => {
    const row = { id: "main", session: "s-1", model: LANGUAGE, mode: "ask", running: null, paused: [{ turn: "t-9", session: "s-1", meter: "day" }] };
    const { station } = await show([], { answers: { list_agents: [row], turn_cancel: { message: "Turn cancelled" } } });
    await act(async () => void fireEvent.click(await screen.findByTestId("end-paused")));
    expect(station.asked.find(({ name }) => name === "turn_cancel")?.input).toEqual({ turn: "t-9", agent: "main" });
  });

  it("asks a person, who adds to it", async () => {
    const { station, happen } = await show();
    happen({ turn_ended: { outcome: { paused: "day" }, calls: 3, usage: {} as never } });
    expect(screen.getByTestId("paused").textContent).toContain("The budget of this day is spent.");
    await act(async () => void fireEvent.click(screen.getByTestId("add-budget")));
    expect(station.asked.find(({ name }) => name === "add_budget")?.input).toEqual({ meter: "day", usd: 1, agent: "main" });
    expect(screen.queryByTestId("paused")).toBeNull();
  });
});

it("C-06 a room in which the agent has not spoken yet is listed, and opens", async () => {
  const room = { room: "ops", agent: "main", session: "room-ops", members: [], dropped: [], problem: null, name: "north" };
  const { station } = await show([], { answers: { list_sessions: [], list_rooms: [room, { ...room, room: "other", agent: "second", session: "room-other" }], read_room: { room: "ops", messages: [] } } });
  fireEvent.click(screen.getByTestId("conversations"));
  await screen.findByText("Room ops");
  expect(screen.queryByText("Room other")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /Room ops/ }));
  await screen.findByTestId("room-composer");
  expect(station.store.conversation).toBe("room-ops");
});

it("S-44 beginning anew says what begins and what is kept before it is done", async () => {
  const { station } = await show([], { answers: { list_sessions: [], reset_session: {} } });
  fireEvent.click(screen.getByTestId("conversations"));
  fireEvent.click(screen.getByTestId("conversation-reset"));
  const group = screen.getByTestId("conversation-reset-yes").closest('[role="group"]');
  expect(group?.textContent).toContain("The conversation begins anew: a running reply ends, and the agent is shown nothing of what was said before. Kept: what was said,");
  expect(station.asked.some(({ name }) => name === "reset_session")).toBe(false);
});

it("A-08 a turn elsewhere is a line with the way to it, never a part of this conversation", async () => {
  const { station } = await show();
  const fact = { kind: "turn", agent: "main", session: "autonomy", turn: "t-7", event: { delivered: { entry: 1, text: "The oven is warm.", model: LANGUAGE } } };
  act(() => station.store.applyFrame(frame({ facts: [fact as never] }), performance.now()));
  expect([screen.queryByText("The oven is warm."), screen.getByTestId("elsewhere").textContent]).toEqual([null, "The agent works by itself.Open"]);
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Open" })));
  expect(station.store.conversation).toBe("autonomy");
});
