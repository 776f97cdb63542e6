import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { keepKeys, keysInForce, printOfKey } from "../design/shortcuts/keys-in-force";
import { SHORTCUTS } from "../design/shortcuts/shortcuts";
import { ShortcutSheet } from "./ShortcutSheet";

afterEach(() => keepKeys({ characters: true, chords: new Map() }));

const shownKeys = () => screen.getAllByRole("definition").map((key) => key.textContent);
// A key that only begins a sequence is listed with the key that ends it.
const listed = SHORTCUTS.filter(({ id }) => id !== "begin_go");

it("U-1904 the sheet lists every key of the table with words of its own, and Escape closes it", () => {
  const onClose = vi.fn();
  render(<ShortcutSheet onClose={onClose} />);
  expect(shownKeys().toSorted()).toEqual(listed.map(({ id }) => printOfKey(id, null)).toSorted());
  expect(shownKeys()).toEqual(expect.arrayContaining(["Ctrl+.", "F12 F12", "G A", "Shift+←"]));
  const words = screen.getAllByRole("term").map((word) => word.textContent ?? "");
  expect(words.filter((word) => word === "" || word.startsWith("shortcut"))).toEqual([]);
  fireEvent.keyDown(screen.getByTestId("shortcut-sheet"), { key: "Escape" });
  expect(onClose).toHaveBeenCalledOnce();
});

it("U-1902 the sheet lists the keys of this desk, and which are off", () => {
  const chords = new Map(keysInForce().chords).set("palette", { key: "m", ctrl: true, shift: false });
  keepKeys({ characters: false, chords });
  render(<ShortcutSheet onClose={() => undefined} />);
  expect(shownKeys()).toContain("Ctrl+M");
  expect(shownKeys()).not.toContain("Ctrl+K");
  expect(shownKeys()).not.toContain("G A");
  expect(shownKeys()).toEqual(expect.arrayContaining(["switched off", "Ctrl+.", "F8"]));
});
