import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ariaOf, type Chord, isCharacter, type Keys, printOf, sameChord } from "./chords";
import { judgeKey, type KeyVerdict, refusalOf, stopKeyOf, swapped, takenBy } from "./key-rules";
import { findShortcut, isChanged, readKeys, tableChord } from "./keys-in-force";
import { isStopKey, overlap, type ShortcutId, SHORTCUTS } from "./shortcuts";

const none: Keys = { key: "", ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
const chord = (key: string, held: { ctrl?: boolean; shift?: boolean } = {}): Chord => ({
  key,
  ctrl: false,
  shift: false,
  ...held,
});
const ctrl = (key: string): Chord => chord(key, { ctrl: true });
const TABLE = readKeys(null);
const kept = (keys: Partial<Record<string, unknown>>, characters = true) => JSON.stringify({ characters, keys });

describe("U-1904 the shortcut table", () => {
  it("gives no key to two actions that one press could mean", () => {
    const clashes = SHORTCUTS.flatMap((one) =>
      SHORTCUTS.filter((other) => one.id < other.id && overlap(one.scope, other.scope) && sameChord(one, other)),
    );
    expect(clashes).toEqual([]);
  });

  it("has only keys that could also be chosen", () => {
    const refused = SHORTCUTS.filter(({ id, scope }) => !isStopKey(id) && refusalOf(scope, tableChord(id)) !== null);
    expect(refused.map(({ id }) => id)).toEqual([]);
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

  it.each([
    [ctrl("k"), "Ctrl+K", "Control+k"],
    [chord("l", { shift: true }), "Shift+L", "Shift+l"],
    [chord("PageUp"), "PgUp", "PageUp"],
    [chord("+"), "+", "Plus"],
    [chord("-"), "−", "-"],
  ])("prints %o as %s, and tells assistive technology %s", (keys, print, aria) =>
    expect([printOf(keys), ariaOf(keys)]).toEqual([print, aria]),
  );
});

describe("U-1902 the key that somebody wishes for", () => {
  it.each<[ShortcutId, Chord, KeyVerdict]>([
    ["palette", ctrl("m"), { kind: "free" }],
    ["palette", chord("F2"), { kind: "free" }],
    ["reject", chord("x"), { kind: "free" }],
    ["jog_x_plus", chord("d"), { kind: "free" }],
    // Two places that never have the focus together share a key.
    ["shelve_alarm", chord("l"), { kind: "free" }],
    ["palette", ctrl("2"), { kind: "taken", by: ["go_missions"], swap: true }],
    ["shelve_alarm", chord("a"), { kind: "taken", by: ["acknowledge_alarm"], swap: true }],
    // What acts everywhere needs Ctrl, so it cannot take the slash.
    ["search", ctrl("k"), { kind: "taken", by: ["palette"], swap: false }],
    ["palette", ctrl("."), { kind: "refused", reason: "stop" }],
    ["scene_fit", chord("F12", { shift: true }), { kind: "refused", reason: "stop" }],
    ["stop_all", ctrl("m"), { kind: "refused", reason: "stop" }],
    ["palette", chord("m"), { kind: "refused", reason: "writing" }],
    ["palette", ctrl("v"), { kind: "refused", reason: "editing" }],
    ["palette", ctrl("w"), { kind: "refused", reason: "browser" }],
    ["palette", chord("F5"), { kind: "refused", reason: "browser" }],
    ["reject", chord("Enter"), { kind: "refused", reason: "moving" }],
    ["reject", chord("Tab"), { kind: "refused", reason: "moving" }],
    ["jog_x_plus", chord("d", { shift: true }), { kind: "refused", reason: "held" }],
    ["jog_x_plus", chord(" "), { kind: "refused", reason: "moving" }],
  ])("%s on %o is %o", (id, wished, verdict) => expect(judgeKey(id, wished, TABLE.chords, true)).toEqual(verdict));

  it("is no letter while keys that write are off", () =>
    expect(judgeKey("reject", chord("x"), TABLE.chords, false)).toEqual({ kind: "refused", reason: "characters" }));

  it("is another action's after a swap, and nobody has two", () => {
    const after = swapped("palette", "go_missions", TABLE.chords);
    expect([after.get("palette"), after.get("go_missions")]).toEqual([ctrl("2"), ctrl("k")]);
    expect([...after].filter(([id, keys]) => takenBy(id, keys, after).length > 0)).toEqual([]);
  });
});

describe("U-1902 the keys that a desk has kept", () => {
  it("are those that were chosen, and the table for the rest", () => {
    const { chords } = readKeys(kept({ palette: ctrl("m"), reject: chord("x") }));
    expect([chords.get("palette"), chords.get("reject")]).toEqual([ctrl("m"), chord("x")]);
    expect([...chords].filter(([id, keys]) => isChanged(id, keys)).map(([id]) => id)).toEqual(["palette", "reject"]);
  });

  it("tell Shift with a letter from the letter alone only where both mean something", () => {
    expect(readKeys(null).shifted.has("k")).toBe(false);
    expect(readKeys(kept({ toggle_dock: chord("k", { ctrl: true, shift: true }) })).shifted.has("k")).toBe(true);
  });

  it.each([
    ["no text that is understood", "{"],
    ["a key of STOP ALL", kept({ palette: ctrl(".") })],
    ["another key for STOP ALL", kept({ stop_all: ctrl("m") })],
    ["a key that would take letters from what is written", kept({ palette: chord("e") })],
    ["one key for two actions", kept({ palette: ctrl("m"), toggle_dock: ctrl("m") })],
    ["a key of the table that another action still has", kept({ palette: ctrl("2") })],
    ["something that is no key", kept({ palette: { key: 7 }, reject: "x", nobody: ctrl("m") })],
  ])("are the table's for %s", (_what, text) => expect(readKeys(text)).toEqual(TABLE));

  it("leave STOP ALL its keys, and no press two meanings, whatever the text says", () => {
    const keys = fc.record({
      key: fc.constantFrom(".", "F12", "k", "j", "1", "2", "g", "a", "Enter", "ArrowLeft", "F6", "F8", "z", "m"),
      ctrl: fc.boolean(),
      shift: fc.boolean(),
    });
    const ids = fc.constantFrom(...SHORTCUTS.map(({ id }) => id));
    fc.assert(
      fc.property(fc.dictionary(ids, keys), fc.boolean(), (chosen, characters) => {
        const { chords } = readKeys(kept(chosen, characters));
        for (const [id, one] of chords) {
          expect(isChanged(id, one) && (isStopKey(id) || takenBy(id, one, chords).length > 0)).toBe(false);
          expect(stopKeyOf({ ...none, key: one.key, ctrlKey: one.ctrl, shiftKey: one.shift })).toBe(
            isStopKey(id) ? id : null,
          );
        }
      }),
    );
  });

  it("say which keys write", () => {
    expect([chord("a"), chord("+"), chord("F2"), ctrl("a"), chord("ArrowUp")].map(isCharacter)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
