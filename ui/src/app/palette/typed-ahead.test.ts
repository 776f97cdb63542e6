// @vitest-environment jsdom
import { fireEvent } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TypedAhead } from "./typed-ahead";

const ahead = new TypedAhead();
const heard = vi.fn<(event: KeyboardEvent) => void>();
const press = (...keys: string[]) => keys.map((key) => fireEvent.keyDown(document.body, { key }));

describe("FU-13 what is typed before the palette is there", () => {
  beforeEach(() => {
    heard.mockClear();
    document.body.addEventListener("keydown", heard);
    ahead.begin();
  });
  afterEach(() => {
    ahead.take();
    document.body.removeEventListener("keydown", heard);
  });

  it("is kept for it, and reaches nothing that has the focus", () => {
    press("r", "o", "x", "Backspace", "v", " ", "1", "Enter");
    expect(heard).not.toHaveBeenCalled();
    expect(ahead.take()).toBe("rov 1");
    expect(ahead.take()).toBe("");
    press("a");
    expect(heard).toHaveBeenCalledOnce();
  });

  it("U-603 leaves STOP ALL, Escape and the way through the window to their keys", () => {
    fireEvent.keyDown(document.body, { key: ".", ctrlKey: true });
    press("Escape", "Tab", "F6", "Shift");
    expect(heard).toHaveBeenCalledTimes(5);
    expect(ahead.take()).toBe("");
  });

  it("is given up when the palette does not come", () => {
    vi.useFakeTimers();
    ahead.begin();
    press("a");
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    press("b");
    expect(heard).toHaveBeenCalledOnce();
    expect(ahead.take()).toBe("");
  });
});
