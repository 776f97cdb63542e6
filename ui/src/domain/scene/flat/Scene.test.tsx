import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { robotRow } from "../../../testing/fixtures";
import { fakeStation, renderWith } from "../../../testing/station";
import { goalEdit } from "./goal-edit";
import { Scene } from "./Scene";
import { buildScene, type SceneModel } from "./scene-model";
import { sheetOf } from "./draw-goals";
import type { Vec3 } from "./transform";

/** A pen that draws nothing: jsdom has none. */
function pen(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const known: Record<string, unknown> = { canvas, measureText: () => ({ width: 10 }) };
  return new Proxy(known, {
    get: (own, name: string) => own[name] ?? (() => undefined),
    set: () => true,
  }) as unknown as CanvasRenderingContext2D;
}

beforeEach(() => {
  const getContext = vi.spyOn(HTMLCanvasElement.prototype, "getContext");
  getContext.mockImplementation(function (this: HTMLCanvasElement) {
    return pen(this);
  });
});
afterEach(() => vi.restoreAllMocks());

const pose = { frame: "base_link", position_m: [0, 0, 0] as [number, number, number], orientation: null };
const model: SceneModel = buildScene(
  [{ robot: robotRow(), pose, freshness: "live", age: "", trail: [], look: "armed", speed_mps: null, joints: {} }],
  [],
  [],
);

/** A goal that a button moves, in a scene that stays the same. */
function Page() {
  const [at_m, setAt] = useState<Vec3>([3, 2, 0]);
  return (
    <>
      <button type="button" onClick={() => setAt([9, 2, 0])}>
        move
      </button>
      <Scene model={model} side="top" focus="arm-1" edit={goalEdit({ at_m, side: "top", onMove: setAt })} />
    </>
  );
}

describe("U-1601 a handle on the scene", () => {
  it("moves with what it stands for, also where nothing else moves", async () => {
    renderWith(fakeStation(), <Page />);
    const handle = screen.getByTestId("handle-goal");
    await waitFor(() => expect(handle.style.transform).not.toBe(""));
    const before = handle.style.transform;
    fireEvent.click(screen.getByText("move"));
    await waitFor(() => expect(handle.style.transform).not.toBe(before), { timeout: 2_000 });
  });
});

describe("U-1102 the scene under the hand", () => {
  it("does not follow a pointer that was let go outside of it", () => {
    renderWith(fakeStation(), <Scene model={model} side="top" focus={null} />);
    const stage = screen.getByTestId("scene");
    act(() => void fireEvent.pointerDown(stage, { button: 0, buttons: 1, pointerId: 1, clientX: 1, clientY: 50 }));
    act(() => void fireEvent.pointerMove(stage, { buttons: 0, pointerId: 1, clientX: 80, clientY: 50 }));
    expect(stage.dataset["hand"]).not.toBe("moves");
  });
});

describe("U-1102 the sheet of the bands", () => {
  it("is one for each scene, as large as that", () => {
    const [one, other] = [document.createElement("canvas"), document.createElement("canvas")];
    const sheet = sheetOf(one);
    one.width = 77;
    expect([sheetOf(one) === sheet, sheetOf(one).width, sheetOf(other) === sheet]).toEqual([true, 77, false]);
  });
});
