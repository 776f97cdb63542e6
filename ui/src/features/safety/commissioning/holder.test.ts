import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import { HostError } from "../../../host/host";
import { StepHolder } from "./holder";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ROW: CommissioningRow = { robot: "rover-9", gate: null, manifest: "unknown", under_way: true };
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

type HandProps = { delay_ms?: number; error?: HostError | null; robot?: string; kept?: readonly (HostError | null)[] };

/** A hand whose station answers after `delay_ms`, and the calls that it made. */
function hand({ delay_ms = 5, error = null, robot = "rover-9", kept = [] }: HandProps = {}) {
  const calls: string[] = [];
  const ended: (string | null)[] = [];
  const call = (name: string, fails: HostError | null) => async () => {
    calls.push(name);
    await new Promise((wake) => setTimeout(wake, delay_ms));
    if (fails) throw fails;
    return ROW;
  };
  const holds = [...kept];
  const holder = new StepHolder(
    { robot, run: call("run", error), letGo: () => call("let go", holds.shift() ?? null)() },
    () => undefined,
    (why) => ended.push(why),
  );
  return { holder, calls, ended };
}

describe("RG-31 hold-to-run of a step", () => {
  it("asks ten times a second and says at once that it was let go", async () => {
    const { holder, calls, ended } = hand();
    holder.hold();
    holder.hold();
    await pass(950);
    holder.letGo();
    holder.letGo();
    await pass(1_000);
    expect([calls, ended]).toEqual([[...Array.from({ length: 10 }, () => "run"), "let go"], []]);
  });

  it("does not pile up behind a station that is slow to answer", async () => {
    const { holder, calls } = hand({ delay_ms: 60_000 });
    holder.hold();
    await pass(2_000);
    expect(calls).toHaveLength(3);
    holder.letGo();
    expect(calls.at(-1)).toBe("let go");
  });

  it("lets go once more behind a call that may arrive after the first word of it", async () => {
    const { holder, calls } = hand({ delay_ms: 300 });
    holder.hold();
    await pass(150);
    holder.letGo();
    expect(calls).toEqual(["run", "run", "let go"]);
    await pass(1_000);
    expect(calls).toEqual(["run", "run", "let go", "let go"]);
  });

  it("does not let go a second time of what is held again", async () => {
    const { holder, calls } = hand({ delay_ms: 300 });
    holder.hold();
    holder.letGo();
    holder.hold();
    await pass(1_000);
    expect(calls.filter((name) => name === "let go")).toHaveLength(1);
  });

  it.each([
    ["does not let go a second time of the robot that another hand holds by now", "rover-9", 1],
    ["lets go a second time while another robot is held", "rover-8", 2],
  ])("%s", async (_, robot, times) => {
    const { holder, calls } = hand({ delay_ms: 300 });
    holder.hold();
    holder.letGo();
    const other = hand({ robot });
    other.holder.hold();
    await pass(1_000);
    expect(calls.filter((name) => name === "let go")).toHaveLength(times);
    other.holder.letGo();
  });

  it("says nothing of a second word that comes after somebody else has control", async () => {
    const { holder, calls, ended } = hand({ delay_ms: 300, kept: [null, new HostError("not_in_control", "Ben.")] });
    holder.hold();
    holder.letGo();
    await pass(1_000);
    expect([calls, ended]).toEqual([["run", "let go", "let go"], []]);
  });

  it("does not look let go by the failure of an earlier word of it", async () => {
    const { holder, ended } = hand({ kept: [new HostError("no_answer", "late")] });
    holder.hold();
    await pass(10);
    holder.letGo();
    holder.hold();
    await pass(50);
    expect(ended).toEqual([]);
    holder.letGo();
  });

  it("ends with the station's words when the step is refused", async () => {
    const { holder, calls, ended } = hand({ error: new HostError("step_denied", "Too close to a limit.") });
    holder.hold();
    await pass(1_000);
    expect([calls, ended]).toEqual([["run", "let go"], ["Too close to a limit."]]);
  });
});
