// @vitest-environment jsdom
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { findShortcut } from "./keys-in-force";
import { isWriting, usePairKeys } from "./usePairKeys";

const goToAlarm = vi.fn<() => void>();
const acknowledge = vi.fn<(key: string) => void>();
const stop = vi.fn<() => void>();

/** A row with keys of its own, beside fields. */
function Row() {
  usePairKeys({ go_oldest_alarm: goToAlarm });
  return (
    <>
      <button
        type="button"
        onKeyDown={(event) => {
          if (findShortcut(event, "alarm") !== null) acknowledge(event.key);
          if (findShortcut(event, "anywhere") === "stop_all") stop();
        }}
      >
        row
      </button>
      <input aria-label="field" />
      <div role="listbox" aria-label="list" tabIndex={0} />
    </>
  );
}

const row = () => screen.getByRole("button");
const press = (target: HTMLElement, ...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(target, { key });
};

describe("U-1902 a key of two presses", () => {
  beforeEach(() => {
    goToAlarm.mockClear();
    acknowledge.mockClear();
    stop.mockClear();
    render(<Row />);
  });

  it("goes, and what has the focus never sees its second key", () => {
    press(row(), "g", "a");
    expect(goToAlarm).toHaveBeenCalledOnce();
    expect(acknowledge).not.toHaveBeenCalled();
  });

  it("swallows a second key that means nothing as a pair, once", () => {
    press(row(), "g", "x", "s");
    expect(goToAlarm).not.toHaveBeenCalled();
    expect(acknowledge.mock.calls).toEqual([["s"]]);
    press(row(), "g", "s");
    expect(acknowledge).toHaveBeenCalledOnce();
  });

  it("is not waited for any longer after a while", () => {
    const at = (key: string, after_ms: number) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      Object.defineProperty(event, "timeStamp", { value: after_ms });
      row().dispatchEvent(event);
    };
    at("g", 1_000);
    at("a", 2_500);
    expect(goToAlarm).not.toHaveBeenCalled();
    expect(acknowledge).toHaveBeenCalledOnce();
  });

  it("survives Shift, and is given up by a key that does not write", () => {
    press(row(), "g", "Shift", "a");
    expect(goToAlarm).toHaveBeenCalledOnce();
    press(row(), "g", "Tab", "a");
    expect(goToAlarm).toHaveBeenCalledOnce();
    expect(acknowledge).toHaveBeenCalledOnce();
  });

  it("U-603 never keeps STOP ALL from its key", () => {
    press(row(), "g");
    fireEvent.keyDown(row(), { key: ".", ctrlKey: true });
    expect(stop).toHaveBeenCalledOnce();
  });

  it("neither begins nor ends where letters are text", () => {
    const field = screen.getByLabelText("field");
    press(field, "g", "a");
    press(screen.getByLabelText("list"), "g", "a");
    press(row(), "g");
    expect(fireEvent.keyDown(field, { key: "a" })).toBe(true);
    expect(goToAlarm).not.toHaveBeenCalled();
  });

  it("knows text from what is none", () => {
    const told: boolean[] = [];
    const tell = (event: KeyboardEvent) => told.push(isWriting(event));
    window.addEventListener("keydown", tell);
    press(screen.getByLabelText("field"), "g");
    press(row(), "g");
    window.removeEventListener("keydown", tell);
    expect(told).toEqual([true, false]);
  });
});
