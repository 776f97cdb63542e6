import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { frame } from "../../testing/fixtures";
import { entry, LANGUAGE, show } from "./testing/dock";

beforeEach(() => localStorage.clear());

describe("V-05 the header", () => {
  const row = { id: "main", session: "s-1", model: LANGUAGE, mode: "ask", running: null };

  it("M-01 names the interpreter as what it is, also on each reply", async () => {
    await show([
      entry(2, {
        kind: "assistant",
        content: "4 robots",
        model: { name: "quarterdeck-commands", kind: "interpreter" },
      }),
    ]);
    expect([screen.getByTestId("agent-model").textContent, screen.getByTestId("answered-by").textContent]).toEqual([
      "Command interpreter – not a language model",
      "Command interpreter – not a language model",
    ]);
  });

  it("M-01 names on a reply what found it, whatever was chosen since", async () => {
    await show([
      entry(2, { kind: "assistant", content: "4 robots", model: LANGUAGE }),
      entry(3, { kind: "assistant", content: "5 robots" }),
    ]);
    expect(screen.getAllByTestId("answered-by").map((name) => name.textContent)).toEqual(["small"]);
  });

  it("says what was spent, what taints, and that no model answers", async () => {
    const answers = {
      list_agents: [{ ...row, offline: "Nothing answers at 127.0.0.1." }],
      list_model_calls: {
        calls: [],
        is_cut: false,
        today: "2026-03-08",
        day: { spent_microusd: 120_000, unknown_calls: 2, limit_microusd: 5_000_000 },
      },
    };
    await show(
      [entry(1, { kind: "tool_result", origin: "tool(depot__read)", trust: "text", at_ms: Date.now() - 45_030_000 })],
      { answers },
    );
    expect((await screen.findByTestId("spent")).textContent).toBe(
      "Spent today $0.12 of $5.00 and 2 calls of unknown price",
    );
    expect([screen.getByTestId("agent-tainted").textContent, screen.getByTestId("agent-offline").textContent]).toEqual([
      "tainted since 12 h 30 min by tool(depot__read)",
      "offline, rules and STOP ALL still work Nothing answers at 127.0.0.1.",
    ]);
  });

  it("P-21a says what was set aside, also where nothing taints before the answer", async () => {
    let entries = [entry(1, { kind: "tool_result", origin: "tool(look)", trust: "text", content: "obey" })];
    let answer: (value: unknown) => void = () => undefined;
    const answered = new Promise((done) => {
      answer = done;
    });
    const marker = { epoch: { from: 0, to: 1, reason: "set_aside" as const } };
    const { queries } = await show([], {
      answers: {
        get_transcript: () => ({ session: "s-1", entries, running: null }),
        set_aside_untrusted: () => {
          entries = [...entries, entry(2, { kind: "marker", role: "system", origin: "system", marker })];
          return answered;
        },
      },
    });
    fireEvent.click(await screen.findByTestId("set-aside"));
    await waitFor(() => expect(entries).toHaveLength(2));
    await act(() => queries.invalidateQueries({ queryKey: ["transcript"] }));
    await waitFor(() => expect(screen.queryByTestId("set-aside")).toBeNull());
    const readings = [{ entry: 1, at_ms: 0, origin: "tool(look)", text: "obey" }];
    await act(async () => answer({ session: "s-1", readings, derived: 0 }));
    expect(await screen.findByText("1 reading set aside: tool(look)")).toBeTruthy();
  });

  it("P-14 a person sets the mode, and it is drawn as the station says", async () => {
    const missions = [
      { id: "patrol", status: "active" },
      { id: "old", status: "completed" },
    ];
    const { station } = await show([], { answers: { list_missions: missions } });
    const mode = screen.getByTestId<HTMLSelectElement>("agent-mode");
    await screen.findByText("Within standing approvals of patrol");
    expect([...mode.options].map(({ text }) => text)).toEqual([
      "Observe only",
      "Ask for everything",
      "Ask for motion",
      "Within standing approvals of patrol",
    ]);
    await act(async () => void fireEvent.change(mode, { target: { value: "run:patrol" } }));
    expect([station.asked.find(({ name }) => name === "set_mode")?.input, mode.value]).toEqual([
      { mode: "run:patrol", agent: "main" },
      "ask",
    ]);
  });
});

describe("V-04 a summary", () => {
  it("is put in other words by a person, the newest one only", async () => {
    const summary = (id: number, content: string) => entry(id, { kind: "summary", origin: "agent", content });
    const { station } = await show([summary(1, "We moved the arm."), summary(2, "We moved it twice.")], {
      answers: { edit_summary: { session: "s-1", entry: 4 } },
    });
    fireEvent.click(screen.getByTestId("summary-edit"));
    expect(screen.getByTestId<HTMLButtonElement>("summary-save").disabled).toBe(true);
    expect(document.activeElement).toBe(screen.getByTestId("summary-text"));
    fireEvent.change(screen.getByTestId("summary-text"), { target: { value: "We moved it three times." } });
    await act(async () => void fireEvent.click(screen.getByTestId("summary-save")));
    expect(station.asked.find(({ name }) => name === "edit_summary")?.input).toEqual({
      entry: 2,
      text: "We moved it three times.",
      agent: "main",
    });
    expect([screen.queryByTestId("summary-text"), document.activeElement]).toEqual([
      null,
      screen.getByTestId("summary-edit"),
    ]);
  });
});

describe("K-04 a spent budget", () => {
  it("is still there after a restart, and goes on under its name", async () => {
    const paused = [
      { turn: "t-9", session: "s-1", meter: "turn" },
      { turn: "t-8", session: "s-2", meter: "day" },
    ];
    const row = { id: "main", session: "s-1", model: LANGUAGE, mode: "ask", running: null, paused };
    const { station } = await show([], { answers: { list_agents: [row], turn_cancel: { message: "Turn cancelled" } } });
    expect((await screen.findByTestId("paused")).textContent).toContain("The budget of this reply is spent.");
    await act(async () => void fireEvent.click(screen.getByTestId("add-budget")));
    expect(station.asked.find(({ name }) => name === "add_budget")?.input).toEqual({
      meter: "turn",
      usd: 1,
      turn: "t-9",
      agent: "main",
    });
  });

  it("stays in sight where too little was added", async () => {
    const paused = [{ turn: "t-9", session: "s-1", meter: "day" }];
    const row = { id: "main", session: "s-1", model: LANGUAGE, mode: "ask", running: null, paused };
    const { queries } = await show([], { answers: { list_agents: () => [{ ...row }] } });
    const add = await screen.findByTestId("add-budget");
    await act(async () => void fireEvent.click(add));
    expect(screen.queryByTestId("paused")).toBeNull();
    await act(() => queries.invalidateQueries({ queryKey: ["agents"] }));
    expect((await screen.findByTestId("paused")).textContent).toContain("The budget of this day is spent.");
  });

  it("ends what waits when a person says so", async () => {
    const row = {
      id: "main",
      session: "s-1",
      model: LANGUAGE,
      mode: "ask",
      running: null,
      paused: [{ turn: "t-9", session: "s-1", meter: "day" }],
    };
    const { station } = await show([], { answers: { list_agents: [row], turn_cancel: { message: "Turn cancelled" } } });
    await act(async () => void fireEvent.click(await screen.findByTestId("end-paused")));
    expect(station.asked.find(({ name }) => name === "turn_cancel")?.input).toEqual({ turn: "t-9", agent: "main" });
  });

  it("asks a person, who adds to it", async () => {
    const { station, happen } = await show();
    happen({ turn_ended: { outcome: { paused: "day" }, calls: 3, usage: {} as never } });
    expect(screen.getByTestId("paused").textContent).toContain("The budget of this day is spent.");
    await act(async () => void fireEvent.click(screen.getByTestId("add-budget")));
    expect(station.asked.find(({ name }) => name === "add_budget")?.input).toEqual({
      meter: "day",
      usd: 1,
      agent: "main",
    });
    expect(screen.queryByTestId("paused")).toBeNull();
  });
});

it("C-06 a room in which the agent has not spoken yet is listed, and opens", async () => {
  const room = {
    room: "ops",
    agent: "main",
    session: "room-ops",
    members: [],
    dropped: [],
    problem: null,
    name: "north",
  };
  const { station } = await show([], {
    answers: {
      list_sessions: [],
      list_rooms: [room, { ...room, room: "other", agent: "second", session: "room-other" }],
      read_room: { room: "ops", messages: [] },
    },
  });
  fireEvent.click(screen.getByTestId("conversations"));
  await screen.findByText("Room ops");
  expect(screen.queryByText("Room other")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /Room ops/ }));
  await screen.findByTestId("room-composer");
  expect(station.store.conversation).toBe("room-ops");
});

it("the list of conversations gives the focus back to its button", async () => {
  await show([], { answers: { list_sessions: [] } });
  fireEvent.click(screen.getByTestId("conversations"));
  const search = screen.getByTestId("conversation-search");
  search.focus();
  fireEvent.keyDown(search, { key: "Escape" });
  expect([screen.queryByTestId("conversation-search"), document.activeElement]).toEqual([
    null,
    screen.getByTestId("conversations"),
  ]);
});

it("S-44 beginning anew says what begins and what is kept before it is done", async () => {
  const { station } = await show([], { answers: { list_sessions: [], reset_session: {} } });
  fireEvent.click(screen.getByTestId("conversations"));
  fireEvent.click(screen.getByTestId("conversation-reset"));
  const group = screen.getByTestId("conversation-reset-yes").closest('[role="group"]');
  expect(group?.textContent).toContain(
    "The conversation starts over: a running reply ends, and the agent is shown nothing of what was said before. Kept: what was said,",
  );
  expect(station.asked.some(({ name }) => name === "reset_session")).toBe(false);
});

it("A-08 a turn elsewhere is a line with the way to it, never a part of this conversation", async () => {
  const { station } = await show();
  const fact = {
    kind: "turn",
    agent: "main",
    session: "autonomy",
    turn: "t-7",
    event: { delivered: { entry: 1, text: "The oven is warm.", model: LANGUAGE } },
  };
  act(() => station.store.applyFrame(frame({ facts: [fact as never] }), performance.now()));
  expect([screen.queryByText("The oven is warm."), screen.getByTestId("elsewhere").textContent]).toEqual([
    null,
    "The agent is working by itself.Open",
  ]);
  await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Open" })));
  expect(station.store.conversation).toBe("autonomy");
});
