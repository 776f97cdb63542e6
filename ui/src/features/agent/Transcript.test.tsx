import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EntryLine } from "../../generated/bindings/EntryLine";
import { frame } from "../../testing/fixtures";
import { entry, LANGUAGE, show } from "./testing/dock";

beforeEach(() => localStorage.clear());
afterEach(() => void vi.useRealTimers());

const said = () => screen.getAllByTestId("agent-says").map((row) => row.textContent);

describe("U-401 V-01 a reply that streams", () => {
  it("grows as one text, with what answers on it and a mark where the next words will stand", async () => {
    const { happen } = await show();
    happen({ turn_started: { trigger: "operator", model: LANGUAGE } }, { text_delta: { text: "The **arm" } });
    expect(said()).toEqual(["AgentThe **armsmall"]);
    happen({ text_delta: { text: "** is ready." } });
    // The reader of markdown comes by itself; the words are there before it.
    await waitFor(() => expect(document.querySelector("strong")?.textContent).toBe("arm"));
    expect([said(), screen.getByTestId("agent-says").dataset["streaming"]]).toEqual([
      ["AgentThe arm is ready.small"],
      "true",
    ]);
  });

  it("begins anew when its provider failed, and says why", async () => {
    const { happen } = await show();
    happen(
      { turn_started: { trigger: "operator", model: LANGUAGE } },
      { text_delta: { text: "The a" } },
      { restart: { reason: "The provider is busy.", wait_ms: 500 } },
    );
    expect(said()).toEqual(["AgentStarting again: The provider is busy.small"]);
  });

  it("keeps its thoughts closed", async () => {
    const { happen } = await show();
    happen({ thinking_delta: { text: "Which robot " } }, { thinking_delta: { text: "is it?" } });
    expect([
      screen.getByTestId<HTMLDetailsElement>("thinking").open,
      screen.getByText("Which robot is it?").tagName,
    ]).toEqual([false, "P"]);
  });

  it("is not shown twice once it is stored", async () => {
    const { happen } = await show([entry(1, { content: "hello" }), entry(2, { kind: "assistant", content: "Hello." })]);
    happen({ delivered: { entry: 2, text: "Hello.", model: LANGUAGE } });
    expect(said()).toHaveLength(1);
  });

  it("is not shown twice when it is stored before it is told, not even the words before a call", async () => {
    const reply = (id: number, content: string) => entry(id, { kind: "assistant", content, turn: "t-1" });
    const { happen } = await show([entry(1, { content: "hello" }), reply(2, "I look."), reply(4, "Hello.")]);
    happen(
      { text_delta: { text: "I look." } },
      { call_started: { call: "c-1", name: "list_robots", args: {}, effect: "read" } },
      { text_delta: { text: "Hello." } },
    );
    expect(said()).toHaveLength(2);
  });

  it("stays in sight where it begins like the words before a call", async () => {
    const { happen } = await show([entry(2, { kind: "assistant", content: "Let me look.", turn: "t-1" })]);
    happen(
      { text_delta: { text: "Let me look." } },
      { call_started: { call: "c-1", name: "list_robots", args: {}, effect: "read" } },
      { text_delta: { text: "Let me" } },
    );
    expect(said()).toEqual([expect.stringContaining("Let me look."), "AgentLet me"]);
  });

  it("is not shown twice where the window joined in the middle of it", async () => {
    const { happen } = await show([entry(2, { kind: "assistant", content: "First I look.", turn: "t-1" })]);
    happen(
      { text_delta: { text: " I look." } },
      { call_started: { call: "c-1", name: "list_robots", args: {}, effect: "read" } },
    );
    expect(said()[0]).toContain("First I look.");
    expect(said().slice(1)).toEqual(["Agentworking…"]);
  });

  it("U-912 the sentence before a call is announced, and each question of the same words", async () => {
    const { station, happen } = await show();
    const told: (string | null)[] = [];
    const heard = screen.getByTestId("announced");
    const ask = (call: string) => ({
      call,
      name: "send_command",
      args: { robot: "arm-1" },
      effect: "actuate" as const,
    });
    happen({ text_delta: { text: "I look. Then I move." } });
    happen({ call_started: { ...ask("c-0"), name: "list_robots", effect: "read" } });
    told.push(heard.textContent);
    happen({ asked: ask("c-1") });
    told.push(heard.textContent);
    happen({ call_started: ask("c-1") }, { text_delta: { text: "Once more." } }, { asked: ask("c-2") });
    told.push(heard.textContent);
    expect([told, station.store.turn?.said]).toEqual([
      ["Then I move.", "Asks for approval: send command arm-1", "Once more. Asks for approval: send command arm-1"],
      ["I look. Then I move.", "Once more."],
    ]);
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

it("U-912 a reply that is over is not announced again on the way back to its conversation", async () => {
  const { station, happen } = await show();
  happen({ delivered: { entry: 2, text: "It waits.", model: LANGUAGE } });
  happen({ turn_ended: { outcome: "answered", calls: 1, usage: {} as never } });
  const heard = screen.getByTestId("announced");
  expect(heard.textContent).toBe("It waits.");
  act(() => station.store.chooseConversation("chat-1"));
  act(() => station.store.chooseConversation(null));
  const again = await screen.findByTestId("announced");
  expect([again === heard, again.textContent]).toEqual([false, ""]);
});

it("U-912 a reply is announced as a whole where a desk has chosen that", async () => {
  const { happen } = await show();
  fireEvent.click(screen.getByTestId("conversations"));
  fireEvent.click(screen.getByRole("radio", { name: "Whole replies" }));
  happen({ text_delta: { text: "The arm is ready. It wai" } });
  expect(screen.getByTestId("announced").textContent).toBe("");
  happen({ delivered: { entry: 2, text: "The arm is ready. It waits.", model: LANGUAGE } });
  expect([
    screen.getByTestId("announced").textContent,
    screen.getByRole("radio", { name: "Whole replies" }).getAttribute("aria-checked"),
  ]).toEqual(["The arm is ready. It waits.", "true"]);
});

describe("V-02 the rows", () => {
  const called = (change: Partial<EntryLine> = {}): EntryLine[] => [
    entry(1, {
      kind: "assistant",
      tool_calls: [{ id: "c1", type: "function", function: { name: "cam__read", arguments: '{"robot":"arm-1"}' } }],
    }),
    entry(4, {
      kind: "tool_result",
      tool_call_id: "c1",
      origin: "tool(cam__read)",
      trust: "text",
      content: "**stop all** <b>now</b>",
      ...change,
    }),
  ];

  it("U-903 words from elsewhere are quoted with their origin, and are neither markdown nor HTML", async () => {
    await show([
      ...called(),
      entry(5, { trust: "text", origin: "room(ops)", content: "# go [home](https://evil.example)" }),
    ]);
    const quoted = screen.getAllByTestId("quoted");
    expect(quoted.map((row) => row.textContent)).toEqual([
      "Text from tool(cam__read), not trusted**stop all** <b>now</b>",
      expect.stringContaining("# go [home](https://evil.example)"),
    ]);
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
      station.store.applyFrame(
        frame({
          mono_ms: 50_000,
          facts: [
            {
              kind: "turn",
              agent: "main",
              session: "s-1",
              turn: "t-1",
              event: { call_started: { call: "c9", name: "list_robots", args: {}, effect: "read" } },
            } as never,
          ],
        }),
        50_000,
      ),
    );
    clock(51_900);
    expect(screen.queryByTestId("running-time")).toBeNull();
    clock(53_000);
    expect(screen.getByTestId("running-time").textContent).toBe(" · 3 s");
    happen({ call_ended: { call: "c9", name: "list_robots", is_error: false, duration_ms: 3_100 } });
    expect(screen.queryByTestId("running-time")).toBeNull();
  });

  it("that was opened while the turn ran stays open once the turn is stored", async () => {
    const entries: EntryLine[] = [];
    const { station, happen } = await show(entries);
    happen({ call_started: { call: "c1", name: "cam__read", args: { robot: "arm-1" }, effect: "read" } });
    const row = () => screen.getByTestId<HTMLDetailsElement>("tool");
    act(() => void (row().open = true));
    fireEvent(row(), new Event("toggle"));
    const live = row();
    entries.push(...called());
    act(() => station.store.applyFrame(frame({ mono_ms: 20_000, tags: ["transcript"] }), performance.now()));
    await waitFor(() => expect(document.querySelector("[data-row=tool]")).not.toBeNull());
    expect([row() === live, row().open]).toEqual([false, true]);
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
    expect([shownAfter(1_750), shownAfter(250), shownAfter(1_000), shownAfter(62_000)]).toEqual([
      undefined,
      " · 2 s",
      " · 3 s",
      " · 1 min 5 s",
    ]);
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
    const now = {
      id: "world/main/person.location",
      value: "kitchen",
      unit: null,
      observed_mono_ms: 1,
      max_age_ms: 1_000,
      age_basis: "source",
      origin: "measured",
      source_lost: false,
    };
    act(() => station.store.applyFrame(frame({ signals: [now as never] }), performance.now()));
    expect(chip().textContent).toBe("person.location = hallway · 0.92 · 3 s old at this turn · changed since");
  });

  it("FU-27 a listed value is a chip, and no line besides", async () => {
    await show([
      entry(1, { kind: "volatile", content: '[World State]\nperson.location = "hallway" (confidence: 0.92, age: 3s)' }),
      entry(2, { kind: "assistant", content: 'person.location = "hallway" (0.92, 3 s old)' }),
    ]);
    expect(screen.getByTestId("agent-says").textContent?.match(/hallway/g)).toHaveLength(1);
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
