import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { SHORTCUTS } from "../design/shortcuts/shortcuts";
import { ShortcutSheet } from "./ShortcutSheet";

it("U-1904 the sheet lists every key of the table with words of its own, and Escape closes it", () => {
  const onClose = vi.fn();
  render(<ShortcutSheet onClose={onClose} />);
  const shown = screen.getAllByRole("definition").map((key) => key.textContent);
  // A key that only begins a sequence is listed with the key that ends it.
  const listed = SHORTCUTS.filter(({ id }) => id !== "begin_go");
  expect(shown.toSorted()).toEqual(listed.map(({ hint }) => hint).toSorted());
  const words = screen.getAllByRole("term").map((word) => word.textContent ?? "");
  expect(words.filter((word) => word === "" || word.startsWith("shortcut"))).toEqual([]);
  fireEvent.keyDown(screen.getByTestId("shortcut-sheet"), { key: "Escape" });
  expect(onClose).toHaveBeenCalledOnce();
});
