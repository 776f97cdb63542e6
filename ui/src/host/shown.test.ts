import { expect, it } from "vitest";
import { frame, poseSignal } from "../testing/fixtures";
import { LiveStore } from "./live-store";

const ID = "robot/rover-1/pose";

function rover(...seen: readonly (readonly [local_ms: number, x_m: number])[]): (number | undefined)[] {
  const store = new LiveStore();
  return seen.map(([local_ms, x_m]) => {
    store.applyFrame(
      frame({ signals: [{ ...poseSignal(ID, [x_m, 0, 0]), id: ID, observed_mono_ms: local_ms }] }),
      local_ms,
    );
    const value = store.shown(ID)?.value;
    return typeof value === "object" ? value.position_m[0] : undefined;
  });
}

it("U-2606 a robot that jitters by a millimetre stands still on the screen", () =>
  expect(rover([0, 1], [1_000, 1.001], [2_000, 0.999])).toEqual([1, 1, 1]));
it("U-2606 one that moves is drawn twice a second", () =>
  expect(rover([0, 0], [100, 0.1], [400, 0.4], [500, 0.5], [600, 0.6], [1_000, 1])).toEqual([0, 0, 0, 0.5, 0.5, 1]));
it("creeping is seen once it has come as far as the screen shows", () =>
  expect(rover([0, 0], [1_000, 0.0015], [2_000, 0.003])).toEqual([0, 0, 0.003]));

it("U-502 the last value of a source that falls silent is shown by the ticker", () => {
  const store = new LiveStore();
  const tell = (local_ms: number, x_m: number) =>
    store.applyFrame(
      frame({ signals: [{ ...poseSignal(ID, [x_m, 0, 0]), id: ID, observed_mono_ms: local_ms }] }),
      local_ms,
    );
  tell(0, 0);
  tell(100, 5);
  store.tick(400);
  expect(store.shown(ID)?.value).toMatchObject({ position_m: [0, 0, 0] });
  store.applyFrame(frame({}), 600);
  store.tick(700);
  expect(store.shown(ID)?.value).toMatchObject({ position_m: [5, 0, 0] });
});

it("a value that stays the same is shown anew once it is of a real robot", () => {
  const store = new LiveStore();
  const tell = (simulated: boolean, local_ms: number) =>
    store.applyFrame(frame({ signals: [{ ...poseSignal(ID, [0, 0, 0]), id: ID, simulated }] }), local_ms);
  tell(true, 0);
  tell(false, 1_000);
  expect(store.shown(ID)?.simulated).toBe(false);
});
