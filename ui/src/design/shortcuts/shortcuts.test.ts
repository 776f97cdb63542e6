import { describe, expect, it } from "vitest";
import { findShortcut, type Keys, SHORTCUTS } from "./shortcuts";

const none: Keys = { key: "", ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };

describe("U-1904 the shortcut table", () => {
  it("gives no key to two actions of one scope", () => {
    const chords = SHORTCUTS.map(({ scope, key, ctrl, shift }) => `${scope} ${ctrl} ${shift} ${key.toLowerCase()}`);
    expect(new Set(chords).size).toBe(chords.length);
  });

  it.each([
    [{ key: ".", ctrlKey: true }, "stop_all"],
    [{ key: "F12" }, "stop_all_f12"],
    [{ key: "J", ctrlKey: true, shiftKey: true }, "toggle_dock"],
    [{ key: "F6", shiftKey: true }, "previous_region"],
    [{ key: "." }, null],
    [{ key: ".", ctrlKey: true, altKey: true }, null],
    [{ key: "7" }, null],
  ])("reads %o as %s", (keys, id) => expect(findShortcut({ ...none, ...keys }, "anywhere")).toBe(id));

  it("finds scene keys in the scene only", () =>
    expect(findShortcut({ ...none, key: "7" }, "scene")).toBe("scene_top"));
});
