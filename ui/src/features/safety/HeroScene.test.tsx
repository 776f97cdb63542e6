import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { DrawnZone } from "../../domain/scene/flat/drawn-zone";
import type { SceneProps } from "../../domain/scene/flat/Scene";
import { robotRow } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { HeroScene } from "./HeroScene";

// jsdom draws no canvas; this one is drawn on by a button, and its handles are moved by another.
vi.mock("../../domain/scene/flat/Scene", () => ({
  Scene: ({ edit }: SceneProps) => (
    <>
      <button type="button" disabled={!edit?.onDraw} onClick={() => edit?.onDraw?.([0, 0, 0], [1, 2, 0], true)}>
        drag
      </button>
      <button type="button" disabled={!edit?.handles.length} onClick={() => edit?.onMove("x-max", [1.5, 0, 0])}>
        move
      </button>
    </>
  ),
}));

function show(mayAdd = true) {
  const onDrawn = vi.fn<(drawn: DrawnZone) => void>();
  const station = fakeStation({ list_constraints: [], list_proposals: [] });
  renderWith(station, <HeroScene robot={robotRow()} onDrawn={mayAdd ? onDrawn : null} />);
  return onDrawn;
}

const press = (name: string) => fireEvent.click(screen.getByText(name));
const isOff = (name: string) => screen.getByText<HTMLButtonElement>(name).disabled;

describe("U-1601 a limit that is drawn on the robot's own scene", () => {
  it("is drawn by a drag, moved by its handles, and handed to the form with its frame", () => {
    const onDrawn = show();
    expect([isOff("drag"), isOff("move")]).toEqual([true, true]);
    fireEvent.click(screen.getByTestId("draw-limit"));
    press("drag");
    expect([isOff("drag"), isOff("move")]).toEqual([true, false]);
    press("move");
    fireEvent.click(screen.getByTestId("hero-check"));
    // The scene is in map, where base_link stands 3 m to the right.
    const drawn = onDrawn.mock.lastCall?.[0];
    expect(drawn?.frame).toBe("base_link");
    expect(drawn?.limit).toMatchObject({ KeepOutBox: { max: [-1.5, expect.any(Number), expect.any(Number)] } });
  });

  it("is given up by a button or another kind, and begins anew", () => {
    const onDrawn = show();
    for (const giveUp of [() => fireEvent.click(screen.getByTestId("hero-discard")), () => press("Forbidden zone")]) {
      fireEvent.click(screen.getByTestId("draw-limit"));
      press("drag");
      giveUp();
      expect([isOff("move"), screen.queryByTestId("hero-check")]).toEqual([true, null]);
    }
    fireEvent.click(screen.getByTestId("draw-limit"));
    press("drag");
    fireEvent.click(screen.getByTestId("hero-check"));
    expect(onDrawn.mock.lastCall?.[0].limit).toHaveProperty("ForbiddenZone");
  });

  it("cannot be drawn by who may add none", () => {
    show(false);
    expect([screen.queryByTestId("draw-limit"), screen.queryByTestId("hero-limit"), isOff("drag")]).toEqual([
      null,
      null,
      true,
    ]);
  });
});
