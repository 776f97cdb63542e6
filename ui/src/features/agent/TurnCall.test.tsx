import { act, fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { inGerman } from "../../testing/german";
import { TurnCall } from "./TurnCall";

const CALL = {
  row: {
    id: "mc-1",
    began_ms: 0,
    purpose: "main",
    provider: "",
    model: "quarterdeck-commands",
    outcome: "interrupted",
    usage: { in_fresh: 1, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0, out: 2, estimated: false },
    cached_share: 0,
    cost_microusd: 0,
  },
  layout: { system: ["h"], tools: null, messages: [] },
} as never;

const show = () => render(<TurnCall call={CALL} texts={{ h: "Obey." }} place={0} count={1} />);

describe("V-03 a call of a model", () => {
  it.each([
    ["Copied", () => Promise.resolve()],
    ["The clipboard cannot be reached", () => Promise.reject(new Error("denied"))],
  ])("says “%s” after it was copied", async (text, writeText) => {
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText } });
    show();
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Copy all of it" })));
    expect(screen.getByRole("status").textContent).toBe(text);
    vi.unstubAllGlobals();
  });

  describe("in a German window", () => {
    inGerman();
    it("names its purpose and its end in German", () => {
      show();
      expect([screen.getByRole("heading").textContent, screen.getByText("unterbrochen").tagName]).toEqual([
        "Aufruf 1 von 1 · Unterhaltung",
        "STRONG",
      ]);
    });
  });
});
