import { fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { findShortcut, keepKeys, keysInForce, useHints } from "../../../design/shortcuts/keys-in-force";
import { ShortcutsSection } from "./ShortcutsSection";

afterEach(() => keepKeys({ characters: true, chords: new Map() }));

/** A control somewhere else in the window, with its keys. */
function Elsewhere() {
  const hints = useHints();
  return <i data-testid="elsewhere">{`${hints.of("palette")} ${hints.aria("palette") ?? ""} ${hints.of("reject")}`}</i>;
}

const at = (id: string) => screen.getByTestId(id);
const change = (id: string) => fireEvent.click(at(`change-${id}`));
const press = (key: string, held: Record<string, boolean> = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held });
const row = (id: string) => within(at(`key-row-${id}`));
const show = () => {
  render(
    <>
      <ShortcutsSection />
      <Elsewhere />
    </>,
  );
};

describe("U-1902 changing a key", () => {
  it("takes the next press, keeps it, and shows it everywhere", () => {
    show();
    change("palette");
    expect(document.activeElement).toBe(at("take-key"));
    press("Control", { ctrlKey: true });
    press("m", { ctrlKey: true });
    expect(row("palette").getByText("Ctrl+M")).toBeTruthy();
    expect(at("key-said").textContent).toContain("Ctrl+M");
    expect(at("elsewhere").textContent).toBe("Ctrl+M Control+m R");
    expect(document.activeElement).toBe(at("change-palette"));
    const event = { key: "m", ctrlKey: true, shiftKey: false, altKey: false, metaKey: false };
    expect(findShortcut(event, "anywhere")).toBe("palette");
    expect(findShortcut({ ...event, key: "k" }, "anywhere")).toBe(null);
    expect(localStorage.getItem("quarterdeck.shortcuts")).toContain('"palette"');
  });

  it("names what has the key already, and swaps only when asked to", () => {
    show();
    change("palette");
    press("2", { ctrlKey: true });
    expect(at("key-told").textContent).toContain("Missions");
    expect(keysInForce().chords.get("go_missions")?.key).toBe("2");
    fireEvent.click(at("swap-keys"));
    expect([row("palette").getByText("Ctrl+2"), row("go_missions").getByText("Ctrl+K")]).toHaveLength(2);
  });

  it("says why a key cannot be had, and takes another one", () => {
    show();
    change("palette");
    press("e");
    expect(at("key-told").textContent).toContain("needs Ctrl");
    press("w", { ctrlKey: true });
    expect(at("key-told").textContent).toContain("belongs to the browser");
    press("m", { altKey: true });
    expect(at("key-told").textContent).toContain("Alt");
    expect(screen.queryByTestId("swap-keys")).toBe(null);
    press("F2");
    expect(row("palette").getByText("F2")).toBeTruthy();
  });

  it("is given up by Escape and by leaving, and no press goes further than the row", () => {
    const heard = vi.fn();
    window.addEventListener("keydown", heard);
    show();
    change("reject");
    press("Escape");
    expect(screen.queryByTestId("take-key")).toBe(null);
    change("reject");
    press("2", { ctrlKey: true });
    fireEvent.blur(at("take-key"), { relatedTarget: at("character-keys") });
    expect(screen.queryByTestId("take-key")).toBe(null);
    expect(keysInForce().chords.get("reject")?.key).toBe("r");
    expect(heard).not.toHaveBeenCalled();
    window.removeEventListener("keydown", heard);
  });

  it("is undone for one action and for all of them", () => {
    show();
    for (const [id, key] of [
      ["reject", "x"],
      ["take_control", "y"],
    ] as const) {
      change(id);
      press(key);
    }
    at("reset-reject").focus();
    fireEvent.click(at("reset-reject"));
    expect(document.activeElement).toBe(at("change-reject"));
    expect([row("reject").getByText("R"), row("take_control").getByText("Y")]).toHaveLength(2);
    fireEvent.click(at("reset-keys"));
    expect(row("take_control").getByText("C")).toBeTruthy();
    expect(localStorage.getItem("quarterdeck.shortcuts")).toBe(null);
  });

  it("leaves the keys of STOP ALL as they are", () => {
    show();
    expect(row("stop_all").queryByRole("button")).toBe(null);
    expect(row("stop_all").getByText("Ctrl+.")).toBeTruthy();
  });

  it("switches keys that write off, and says so", () => {
    show();
    fireEvent.click(screen.getByRole("switch"));
    expect(row("reject").getByText("switched off")).toBeTruthy();
    expect(at("elsewhere").textContent).toBe("Ctrl+K Control+k ");
    const event = { key: "r", ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
    expect(findShortcut(event, "card")).toBe(null);
  });
});
