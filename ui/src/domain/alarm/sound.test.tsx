import { act, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SoundPriority } from "./sound";

const started: number[] = [];
let wake: () => void = () => undefined;

/** A loudspeaker that stays silent until `wake`: its clock stands until then. */
class QuietContext {
  state: "suspended" | "running" = "suspended";
  currentTime = 0;
  destination = {};
  addEventListener = (_name: string, changed: () => void) => void (this.changed = changed);
  changed: () => void = () => undefined;
  constructor() {
    wake = () => {
      [this.state, this.currentTime] = ["running", 5];
      this.changed();
    };
  }
  resume = async () => undefined;
  createOscillator = () => ({
    frequency: { value: 0 },
    connect: (next: unknown) => next,
    start: (at_s: number) => started.push(at_s),
    stop: () => undefined,
  });
  createGain = () => ({
    gain: { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined },
    connect: () => undefined,
  });
}

beforeEach(() => {
  localStorage.clear();
  started.length = 0;
  vi.resetModules();
  vi.stubGlobal("AudioContext", QuietContext);
});

const sound = () => import("./sound");
const beepsOf: Record<SoundPriority, number> = { 1: 4, 2: 2, 3: 1 };

describe("U-1306 the sound of alarms", () => {
  it("that waited for long is of an alarm that may be over, and does not come", async () => {
    const { playTone } = await sound();
    const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
    playTone(1);
    clock.mockReturnValue(5_000);
    playTone(3);
    wake();
    expect(started).toHaveLength(beepsOf[3]);
    clock.mockRestore();
  });

  it("that had to wait for the first gesture comes once, however often it was repeated", async () => {
    const { playTone } = await sound();
    for (let repeat = 0; repeat < 50; repeat += 1) playTone(1);
    playTone(3);
    expect(started).toEqual([]);
    wake();
    expect(started).toHaveLength(beepsOf[1] + beepsOf[3]);
    expect(Math.min(...started)).toBe(5);
    playTone(2);
    expect(started).toHaveLength(beepsOf[1] + beepsOf[2] + beepsOf[3]);
  });

  it("is switched off in every window of the desk", async () => {
    const { useSoundOn } = await sound();
    const Page = () => <p>{useSoundOn() ? "on" : "off"}</p>;
    render(<Page />);
    screen.getByText("on");
    localStorage.setItem("quarterdeck.sound", "off");
    act(() => void dispatchEvent(new Event("storage")));
    screen.getByText("off");
  });
});
