import { act, fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import type { Signal } from "../../../generated/bindings/Signal";
import { frame, poseSignal, robotRow } from "../../../testing/fixtures";
import { fakeStation, renderWith } from "../../../testing/station";
import type { SavedFile } from "../graph/useGraphHistory";
import { EntryList } from "./EntryList";
import { readMotion, writeMotion } from "./motion-input";
import { MotionFields } from "./MotionFields";
import { type Settling, settlingOf } from "./settling";

const JOINTS = [
  { name: "turn", unit: "rad", position: [-1.3, 1.3] as [number, number] },
  { name: "boom", unit: "m", position: [0.4, 2.8] as [number, number] },
];
const ARM = robotRow({
  actuators: [{ id: "arm", kind: "tool", motions: ["pose_goal", "path", "joints"], joints: JOINTS }],
  pose: { frame: "base_link", position_m: [9, 9, 9], orientation: null, age_ms: 60_000 },
});

const joint = (name: string, value: number): Signal =>
  poseSignal("arm-1", [0, 0, 0], { id: `robot/arm-1/joint/${name}`, value, unit: "rad" });

/** The fields over an input that they write, as the form does. */
async function show(motion: object, robots = [ARM]) {
  const written = vi.fn<(input: unknown) => void>();
  function Form() {
    const [input, setInput] = useState<unknown>({ robot: "arm-1", actuator: "arm", motion });
    const read = readMotion(input);
    if (read === null) return <p>JSON</p>;
    const put = (next: unknown) => {
      written(next);
      setInput(next);
    };
    return (
      <MotionFields
        motion={read}
        testId="m"
        disabled={false}
        onChange={(changed) => put(writeMotion(input, changed))}
      />
    );
  }
  const station = fakeStation({ list_robots: robots });
  const { settled } = renderWith(station, <Form />);
  await settled();
  const measure = (...signals: Signal[]) =>
    act(() => station.store.applyFrame(frame({ seq: 2, signals }), performance.now()));
  const last = () => (written.mock.lastCall?.[0] as { motion?: unknown } | undefined)?.motion;
  return { measure, last, written };
}

const field = (testId: string) => screen.getByTestId<HTMLInputElement>(testId);

function type(testId: string, value: string) {
  fireEvent.change(field(testId), { target: { value } });
  fireEvent.keyDown(field(testId), { key: "Enter" });
}

const way = (...xs: number[]) => ({ path: { points_m: xs.map((x) => [x, 0, 0.8]), speed_mps: 0.1 } });

describe("ME-17 a path in fields", () => {
  it("adds the measured pose, changes a coordinate, moves by keys and by dragging, and removes", async () => {
    const { measure, last } = await show(way(0.1, 0.2));
    expect(field("m-here")).toHaveProperty("disabled", true);
    measure(poseSignal("arm-1", [0.3, 0, 0.8]));
    fireEvent.click(field("m-here"));
    expect(last()).toEqual(way(0.1, 0.2, 0.3));
    type("m-2-x", "0,25");
    expect(last()).toEqual(way(0.1, 0.25, 0.3));
    field("m-1-move").focus();
    fireEvent.keyDown(field("m-1-move"), { key: "ArrowDown" });
    expect(last()).toEqual(way(0.25, 0.1, 0.3));
    expect(document.activeElement).toBe(field("m-2-move"));
    fireEvent.dragStart(field("m-3-move"), { dataTransfer: { setData: () => undefined } });
    fireEvent.drop(field("m-1-x"));
    expect(last()).toEqual(way(0.3, 0.25, 0.1));
    fireEvent.click(field("m-2-remove"));
    fireEvent.click(field("m-add"));
    expect(last()).toEqual(way(0.3, 0.1, 0.1));
  });

  it("keeps its last waypoint, and says at the field that what was typed is no number", async () => {
    const { last, written } = await show(way(0.1));
    expect(field("m-1-remove")).toHaveProperty("disabled", true);
    type("m-1-y", "left");
    expect(field("m-1-y").value).toBe("left");
    expect(field("m-1-y-problem").textContent).toBe("Not a number. Write it like 1.5 or 1,5.");
    type("m-speed", "0");
    expect(field("m-speed-problem").textContent).toBe("Must be above 0.");
    expect(written).not.toHaveBeenCalled();
    fireEvent.keyDown(field("m-1-y"), { key: "Escape" });
    expect([field("m-1-y").value, screen.queryByTestId("m-1-y-problem")]).toEqual(["0", null]);
    type("m-speed", "");
    expect(last()).toEqual({ path: { points_m: [[0.1, 0, 0.8]] } });
  });
});

it("ME-17 places are picked in the frame that the robot hangs from, whatever that of most robots is", async () => {
  const others = ["rover-1", "rover-2"].map((id) => robotRow({ id }));
  const cell = { parent: "cell", child: "base_link", translation_m: [1, 0, 0] as [number, number, number] };
  const arm = { ...ARM, transforms: [{ ...cell, rotation_xyzw: [0, 0, 0, 1] as [number, number, number, number] }] };
  const { last } = await show({ pose_goal: { position_m: [0.5, 0, 0] } }, [...others, arm]);
  fireEvent.click(field("m-pick"));
  expect(await screen.findByLabelText(/in cell;/u)).toBeTruthy();
  expect(screen.getByTestId("handle-goal").dataset["at"]).toBe("1.5 0 0");
  fireEvent.click(field("pick-place-take"));
  expect(last()).toEqual({ pose_goal: { position_m: [0.5, 0, 0] } });
});

describe("ME-17 a joint goal in fields", () => {
  const goal = (names: string[], positions_rad: number[]) => ({ joints: { names, positions_rad } });

  it("has a row for each joint with its unit and limits, and says what is beyond them", async () => {
    const { last } = await show(goal(["turn", "boom"], [0, 0.5]));
    const rows = within(field("m-joints")).getAllByRole("listitem");
    expect(rows.map((row) => row.textContent)).toEqual(["turn, rad−1.3 … 1.3 rad", "boom, m0.4 … 2.8 m"]);
    type("m-joint-turn", "1.5");
    expect(last()).toEqual(goal(["turn", "boom"], [1.5, 0.5]));
    expect(field("m-joint-turn-problem").textContent).toBe("The robot takes −1.3 … 1.3 rad.");
    type("m-joint-turn", "1.2");
    expect(screen.queryByTestId("m-joint-turn-problem")).toBeNull();
    type("m-speed", "0.3");
    expect(last()).toEqual({ joints: { names: ["turn", "boom"], positions_rad: [1.2, 0.5], speed_radps: 0.3 } });
  });

  it("takes the measured positions while every joint has one", async () => {
    const { measure, last } = await show(goal(["turn", "boom"], [0, 0.5]));
    measure(joint("turn", 0.30041));
    expect(field("m-here")).toHaveProperty("disabled", true);
    measure(joint("boom", 1.1));
    fireEvent.click(field("m-here"));
    expect(last()).toEqual(goal(["turn", "boom"], [0.3, 1.1]));
  });

  it("says that the names are not those of the part, and takes them with the positions it has", async () => {
    const { last } = await show(goal(["boom", "wrist"], [0.7, 1]));
    expect(field("m-names-problem").textContent).toContain("exactly these joints in this order: turn, boom.");
    fireEvent.click(field("m-names"));
    expect(last()).toEqual(goal(["turn", "boom"], [0, 0.7]));
    expect(screen.queryByTestId("m-names-problem")).toBeNull();
  });

  it("begins where the joints are measured when it is chosen", async () => {
    const { measure, last } = await show(way(0.1));
    measure(joint("turn", 0.2), joint("boom", 0.9), poseSignal("arm-1", [0.3, 0, 0.8]));
    fireEvent.change(field("m-motion"), { target: { value: "joints" } });
    expect(last()).toEqual({ joints: { names: ["turn", "boom"], positions_rad: [0.2, 0.9], speed_radps: 0.1 } });
    fireEvent.change(field("m-motion"), { target: { value: "path" } });
    expect(last()).toEqual({ path: { points_m: [[0.3, 0, 0.8]], speed_mps: 0.1 } });
  });
});

describe("ME-07 an entry whose change is on its way", () => {
  const step = (...xs: number[]) => ({
    operation: "send_command",
    input: { robot: "arm-1", actuator: "arm", motion: way(...xs) },
  });
  const handle = (number: number) => field(`form-goals-1-input-${number}-move`);

  /** One goal of a file that stays as it is until `answer` gives it another value, or refuses. */
  async function showGoal() {
    const written = vi.fn<(at: number, value: unknown) => void>();
    const none = () => undefined;
    let answer: (value: unknown, settling: Settling) => void = none;
    function Form() {
      const [shown, setShown] = useState<{ value: unknown; settling: Settling }>({
        value: step(1, 2, 3),
        settling: SETTLED,
      });
      answer = (value, settling) => setShown({ value, settling });
      const acts = { onInsert: none, onReplace: written, onRemove: none, onMove: none };
      return (
        <EntryList
          list="goals"
          values={[shown.value]}
          problem={null}
          disabled={false}
          settling={shown.settling}
          {...acts}
        />
      );
    }
    const { settled } = renderWith(fakeStation({ list_robots: [ARM] }), <Form />);
    await settled();
    return { written, answer: (value: unknown, settling: Settling) => act(() => answer(value, settling)) };
  }
  const SETTLED: Settling = { hash: "h0", unsettled: false, refused: false };
  const firstX = () => field("form-goals-1-input-1-x").value;

  it("is shown as it was changed, and the next change builds on it; once it is settled, the file is shown", async () => {
    const { written, answer } = await showGoal();
    fireEvent.keyDown(handle(1), { key: "ArrowDown" });
    fireEvent.keyDown(handle(2), { key: "ArrowDown" });
    expect(written.mock.lastCall).toEqual([0, step(2, 3, 1)]);
    answer(step(2, 1, 3), { hash: "h1", unsettled: true, refused: false });
    expect([1, 2, 3].map((at) => field(`form-goals-1-input-${at}-x`).value)).toEqual(["2", "3", "1"]);
    answer(step(7), { hash: "h2", unsettled: false, refused: false });
    expect(firstX()).toBe("7");
  });

  it("is as in the file again when the change is refused", async () => {
    const { answer } = await showGoal();
    fireEvent.keyDown(handle(1), { key: "ArrowDown" });
    expect(firstX()).toBe("2");
    answer(step(1, 2, 3), { hash: "h0", unsettled: false, refused: true });
    expect(firstX()).toBe("1");
  });

  it("is under way until the file has the hash of the edit, also while an older one comes in between", () => {
    const isUnsettled = (hash: string, saving: boolean, saved: SavedFile | null, seen: SavedFile | null = null) =>
      settlingOf(hash, { saving, saved, error: null }, seen).unsettled;
    const saved = { hash: "h2", passed: ["h0", "h1"] };
    expect(isUnsettled("h0", false, null)).toBe(false);
    expect(isUnsettled("h0", true, null)).toBe(true);
    expect(isUnsettled("h0", false, saved)).toBe(true);
    expect(isUnsettled("h1", false, saved)).toBe(true);
    expect(isUnsettled("h2", false, saved)).toBe(false);
    expect(isUnsettled("h3", false, saved)).toBe(false);
    // Somebody else has put the file back to a text of before.
    expect(isUnsettled("h0", false, saved, saved)).toBe(false);
  });
});
