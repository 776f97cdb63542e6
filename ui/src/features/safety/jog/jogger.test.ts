import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CommandStep } from "../../../generated/bindings/CommandStep";
import { HostError } from "../../../host/host";
import { velocityOf } from "./directions";
import { Jogger } from "./jogger";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FORWARD = velocityOf("x_plus", 0.1, 0);

type JoggerSetting = { delay_ms?: number; state?: CommandStep; error?: HostError | null };

/** A jogger whose station answers after `delay_ms`, and the x speed of everything it sent. */
function jogger({ delay_ms = 5, state = "received", error = null }: JoggerSetting = {}) {
  const sent: number[] = [];
  const ended: string[] = [];
  const run = new Jogger(
    async ({ linear_mps }) => {
      sent.push(linear_mps[0] ?? Number.NaN);
      await new Promise((wake) => setTimeout(wake, delay_ms));
      if (error && (linear_mps[0] !== 0 || error.code === "unreachable")) throw error;
      return { state, code: null, sentence: "Too close." };
    },
    (why) => ended.push(why),
  );
  return { run, sent, ended };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("U-706 hold-to-run", () => {
  it("repeats ten times a second and ends with one explicit zero", async () => {
    const { run, sent, ended } = jogger();
    run.hold(FORWARD);
    await pass(950);
    run.letGo();
    await pass(1_000);
    expect([sent, ended]).toEqual([[...Array.from({ length: 10 }, () => 0.1), 0], []]);
  });

  it("says zero again behind commands that were still under way", async () => {
    const { run, sent } = jogger({ delay_ms: 250 });
    run.hold(FORWARD);
    await pass(150);
    run.letGo();
    expect(sent).toEqual([0.1, 0.1, 0]);
    await pass(1_000);
    expect(sent).toEqual([0.1, 0.1, 0, 0]);
  });

  it("does not pile up behind a station that is slow to answer", async () => {
    const { run, sent } = jogger({ delay_ms: 60_000 });
    run.hold(FORWARD);
    await pass(2_000);
    expect(sent).toHaveLength(3);
    run.letGo();
    expect(sent.at(-1)).toBe(0);
  });

  it.each(["denied", "refused_by_robot", "failed"] as const)(
    "ends when a command is %s, and says why",
    async (state) => {
      const { run, sent, ended } = jogger({ state });
      run.hold(FORWARD);
      await pass(1_000);
      expect([sent.filter((speed) => speed !== 0), sent.at(-1), ended]).toEqual([[0.1], 0, ["Too close."]]);
    },
  );

  it("ends when the link is too slow, in the station's words", async () => {
    const { run, sent, ended } = jogger({
      error: new HostError("link_slow", "The round trip to arm-1 is 420 ms; jogging needs 300 ms."),
    });
    run.hold(FORWARD);
    await pass(1_000);
    expect([sent.filter((speed) => speed !== 0), sent.at(-1), ended]).toEqual([
      [0.1],
      0,
      ["The round trip to arm-1 is 420 ms; jogging needs 300 ms."],
    ]);
  });

  it("says so when not even zero reaches the station", async () => {
    const { run, ended } = jogger({ error: new HostError("unreachable", "gone") });
    run.hold(FORWARD);
    await pass(1_000);
    expect(ended.at(-1)).toMatch(/The request to stop could not be sent.*own time limit ends the motion/);
  });

  it("goes on in the same run when the hand turns round", async () => {
    const { run, sent, ended } = jogger();
    run.hold(FORWARD);
    await pass(150);
    run.hold(velocityOf("x_minus", 0.1, 0));
    await pass(150);
    run.letGo();
    await pass(1_000);
    expect([sent, ended]).toEqual([[0.1, 0.1, -0.1, -0.1, 0], []]);
  });

  it("sends nothing when nothing was held", () => {
    const { run, sent } = jogger();
    run.letGo();
    expect(sent).toEqual([]);
  });
});
