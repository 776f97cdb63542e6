import { describe, expect, it } from "vitest";
import type { Fact } from "../generated/bindings/Fact";
import { frame, poseSignal, robotSafety, stop, stopRobot } from "../testing/fixtures";
import { LiveStore } from "./live-store";
import { StationClock } from "./station-clock";

describe("U-503 station time", () => {
  const clock = () => {
    const made = new StationClock();
    made.noteFrame({ mono_ms: 50_000, wall_ms: 900_000 }, 1_000);
    return made;
  };
  it("is unknown before the first frame", () => expect(new StationClock().pass(5).now_ms).toBeNull());
  it("goes on counting when frames stop", () =>
    expect(clock().pass(1_400)).toMatchObject({ now_ms: 50_400, wall_ms: 900_400, lost: false }));
  it("has no time of day where a station does not tell it, and is a time all the same", () => {
    const made = new StationClock();
    made.noteFrame(JSON.parse('{ "mono_ms": 50000 }'), 1_000);
    expect(made.pass(1_400)).toMatchObject({ now_ms: 50_400, wall_ms: null, lost: false });
  });
  it("is not lost at 1 s of silence", () => expect(clock().pass(2_000).lost).toBe(false));
  it("is lost after more than 1 s of silence", () =>
    expect(clock().pass(2_001)).toMatchObject({ silent_ms: 1_001, lost: true }));
  it("is lost after a suspend, until the next frame", () => {
    const slept = clock();
    slept.pass(1_100);
    slept.pass(3_200);
    expect(slept.pass(3_300).lost).toBe(true);
    slept.noteFrame({ mono_ms: 60_000, wall_ms: 910_000 }, 3_400);
    expect(slept.pass(3_450)).toMatchObject({ now_ms: 60_050, wall_ms: 910_050, lost: false });
  });
});

describe("the live store", () => {
  const take = (...facts: Fact[]) => {
    const store = new LiveStore();
    store.applyFrame(frame({ facts }), 0);
    return store;
  };

  it("keeps the newest value of a signal", () => {
    const store = new LiveStore();
    store.applyFrame(frame({ signals: [poseSignal("arm-1", [0, 0, 0])] }), 0);
    const newer = poseSignal("arm-1", [1, 0, 0], { observed_mono_ms: 10_100 });
    store.applyFrame(frame({ signals: [newer] }), 100);
    expect(store.signal("robot/arm-1/pose")).toBe(newer);
    expect(store.track("robot/arm-1/pose")?.since(0)).toHaveLength(2);
  });

  it("forgets a robot that was removed, and keeps the others", () => {
    const store = take(
      { kind: "robot_safety", safety: robotSafety({ robot: "arm-1" }) },
      { kind: "robot_safety", safety: robotSafety({ robot: "rover-1" }) },
      { kind: "link", robot: "arm-1", link: "live", rtt_ms: null },
      { kind: "robot_removed", robot: "arm-1", mode: "sim" },
    );
    expect([[...store.safety.keys()], [...store.links.keys()], store.mode]).toEqual([["rover-1"], [], "sim"]);
  });

  it("bounds the number of signals", () => {
    const store = new LiveStore();
    const signals = Array.from({ length: 5_001 }, (_, n) => poseSignal(`r-${n}`, [0, 0, 0]));
    store.applyFrame(frame({ signals }), 0);
    expect([store.signal("robot/r-4999/pose") !== undefined, store.signal("robot/r-5000/pose")]).toEqual([
      true,
      undefined,
    ]);
  });

  it("U-2303 keeps the recent values of what is plotted, in order", () => {
    const store = new LiveStore();
    const seen = (observed_mono_ms: number, value: number) =>
      store.applyFrame(
        frame({ signals: [{ ...poseSignal("x", [0, 0, 0]), id: "world/main/t", value, observed_mono_ms }] }),
        0,
      );
    seen(1, 1);
    expect(store.series("world/main/t")).toEqual([]);
    for (const [observed_mono_ms, value] of [
      [2, 2],
      [2, 9],
      [1, 9],
      [3, 3],
    ] as const)
      seen(observed_mono_ms, value);
    expect(store.series("world/main/t").map(({ value }) => value)).toEqual([2, 3]);
    for (let n = 0; n < 200; n += 1) store.series(`world/main/${n}`);
    expect(store.series("world/main/t")).toEqual([]);
  });

  it("replaces a stop by its newer report", () => {
    const store = take(
      { kind: "stop", stop: stop(7, [stopRobot("a")]) },
      { kind: "stop", stop: stop(7, [stopRobot("a", { acked_after_ms: 9 })]) },
    );
    expect(store.stops.map(({ robots }) => robots[0]?.acked_after_ms)).toEqual([9]);
  });

  it("keeps a stop that is open, however many came and went after it", () => {
    const closed = Array.from({ length: 60 }, (_, n): Fact => ({
      kind: "stop",
      stop: { ...stop(n + 8, []), open: false },
    }));
    const store = take({ kind: "stop", stop: { ...stop(7, [stopRobot("a")]), open: true } }, ...closed);
    expect([store.stops.length, store.stops.at(-1)?.stop_id]).toEqual([51, 7]);
  });

  it("folds the events of a turn and ignores those it does not know", () => {
    const turn = (event: object): Fact => ({
      kind: "turn",
      agent: "main",
      session: "s",
      turn: "t",
      event: event as never,
    });
    const store = take(
      turn({ turn_started: { model: { name: "small", kind: "language" } } }),
      turn({ thinking_delta: { text: "Which robots" } }),
      turn({ text_delta: { text: "I look" } }),
      turn({ text_delta: { text: " first." } }),
      turn({ call_started: { call: "c1", name: "list_robots", args: {}, effect: "read" } }),
      turn({ call_progress: { call: "c1", text: "half" } }),
      turn({ asked: { call: "c2", name: "send_command", args: { robot: "arm-1" }, effect: "actuate" } }),
      turn({ something_new: {} }),
      turn({ call_ended: { call: "c1", name: "list_robots", is_error: false, duration_ms: 12 } }),
      turn({ text_delta: { text: "It" } }),
      turn({ restart: { reason: "The provider is busy.", wait_ms: 500 } }),
      turn({ delivered: { entry: 7, text: "arm-1", model: { name: "small", kind: "language" } } }),
      turn({ turn_ended: { outcome: { paused: "day" } } }),
    );
    const calls = [
      {
        call: "c1",
        name: "list_robots",
        args: {},
        effect: "read",
        state: "ok",
        began_ms: 0,
        duration_ms: 12,
        progress: "half",
      },
      {
        call: "c2",
        name: "send_command",
        args: { robot: "arm-1" },
        effect: "actuate",
        state: "asked",
        began_ms: 0,
        duration_ms: null,
        progress: "",
      },
    ];
    const shown = {
      text: "arm-1",
      thinking: "",
      said: ["I look first."],
      calls,
      delivered: 7,
      warning: null,
      restart: null,
    };
    expect(store.turn).toEqual({
      turn: "t",
      session: "s",
      model: { name: "small", kind: "language" },
      ...shown,
      outcome: { paused: "day" },
      ended: true,
    });
  });

  it("A-08 keeps the turns of other conversations apart from the one that is shown", () => {
    const turn = (session: string, id: string): Fact => ({
      kind: "turn",
      agent: "main",
      session,
      turn: id,
      event: { delivered: { entry: 1, text: id } } as never,
    });
    const store = new LiveStore();
    store.applySession({ agent: "main", session: "desk" } as never);
    store.applyFrame(frame({ facts: [turn("desk", "t-1"), turn("autonomy", "t-2")] }), 0);
    expect([store.turn?.turn, store.elsewhere?.turn]).toEqual(["t-1", "t-2"]);
    store.chooseConversation("autonomy");
    expect([store.turn?.turn, store.elsewhere?.turn]).toEqual(["t-2", "t-1"]);
  });

  it("takes a turn for that of the new agent before its conversation is known", () => {
    const store = new LiveStore();
    store.applySession({ agent: "main", session: "desk" } as never);
    store.chooseAgent("night-watch");
    const started = { turn_started: { model: { name: "small", kind: "language" } } } as never;
    const fact = (session: string): Fact => ({
      kind: "turn",
      agent: "night-watch",
      session,
      turn: session,
      event: started,
    });
    store.applyFrame(frame({ facts: [fact("night")] }), 0);
    store.applySession({ agent: "night-watch", session: "night" } as never);
    expect([store.turn?.turn, store.elsewhere]).toEqual(["night", null]);
  });

  describe("turns", () => {
    const happened = (session: string, id: string, event: object, agent = "main"): Fact => ({
      kind: "turn",
      agent,
      session,
      turn: id,
      event: event as never,
    });
    const started = { turn_started: { model: { name: "small", kind: "language" } } };
    const ended = (outcome: unknown) => ({ turn_ended: { outcome } });
    const atDesk = () => {
      const store = new LiveStore();
      store.setConnected(true);
      store.applySession({ agent: "main", session: "desk" } as never);
      return store;
    };

    it("K-04 that were paused go on under their name, as running ones", () => {
      const store = atDesk();
      store.applyFrame(
        frame({
          facts: [
            happened("desk", "t-1", { text_delta: { text: "Half" } }),
            happened("desk", "t-1", ended({ paused: "day" })),
          ],
        }),
        0,
      );
      store.applyFrame(frame({ facts: [happened("desk", "t-1", started)] }), 0);
      expect(store.turn).toMatchObject({ ended: false, outcome: null, text: "" });
    });

    it.each<[string, (store: LiveStore) => void]>([
      ["the link was away", (store) => [false, true].forEach((connected) => store.setConnected(connected))],
      ["the station lost count", (store) => store.applyFrame(frame({ facts: [{ kind: "resync" }] }), 0)],
    ])("are not taken for running ones once %s", (_, lose) => {
      const store = atDesk();
      store.applyFrame(frame({ facts: [happened("desk", "t-1", started), happened("autonomy", "t-2", started)] }), 0);
      lose(store);
      expect([store.turn, store.elsewhere]).toEqual([null, null]);
    });

    it("of an agent that turned out not to be the shown one are dropped", () => {
      const store = new LiveStore();
      store.applyFrame(frame({ facts: [happened("other", "t-1", started, "second")] }), 0);
      store.applySession({ agent: "main", session: "desk" } as never);
      expect([store.turn, store.elsewhere]).toEqual([null, null]);
    });

    it("find their place when the station names the conversation later", () => {
      const store = new LiveStore();
      store.chooseAgent("main");
      store.applyFrame(frame({ facts: [happened("autonomy", "t-1", started)] }), 0);
      store.applySession({ agent: "main", session: "desk" } as never);
      expect([store.turn, store.elsewhere?.turn]).toEqual([null, "t-1"]);
    });

    it("A-08 that run elsewhere are told of in the next conversation too", () => {
      const store = atDesk();
      store.applyFrame(
        frame({ facts: [happened("desk", "t-1", ended("answered")), happened("autonomy", "t-2", started)] }),
        0,
      );
      store.chooseConversation("chat-1");
      expect([store.turn, store.elsewhere?.turn]).toEqual([null, "t-2"]);
    });
  });
});
