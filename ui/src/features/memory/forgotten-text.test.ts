import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Remedy } from "../../generated/bindings/Remedy";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { clearedText, heldText, remedyText } from "./forgotten-text";

/** A remedy without a German sentence does not compile. */
const REMEDIES: Readonly<Record<Remedy["code"], string>> = de.forget_remedy;

describe("U-2006 forgetting in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("names places with their number", () =>
    expect([heldText({ held_in: "note_file", count: 1 }), clearedText("daily_logs", 3)]).toEqual([
      "Notizdateien: 1",
      "Zeilen von Tagesprotokollen: 3",
    ]));

  it("says the way to be rid of the rest, with its files", () =>
    expect([
      remedyText({ remedy: { code: "never_edited" }, how: "The audit…" }),
      remedyText({ remedy: { code: "edit", files: "config.toml" }, how: "Edit config.toml." }),
    ]).toEqual([REMEDIES.never_edited, "config.toml bearbeiten."]));
});

describe("forgetting in English", () => {
  it("names a place that the window does not know by its own name", () =>
    expect(clearedText("new_table", 2)).toBe("new table: 2"));

  it("repeats the remedy of the station", () =>
    expect(remedyText({ remedy: { code: "next_backup" }, how: "The next backup takes its place." })).toBe(
      "The next backup takes its place.",
    ));
});
