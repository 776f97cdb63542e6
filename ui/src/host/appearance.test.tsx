import { act, renderHook } from "@testing-library/react";
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { expect, it, vi } from "vitest";
import { useTheme } from "./appearance";

it("a theme that the browser cannot store holds for the page", () => {
  // As the page does it: before everything else, and not as a module.
  runInThisContext(readFileSync("ui/public/theme.js", "utf8"));
  const { result } = renderHook(useTheme);
  const choose = (theme: "dark" | "light" | "system") => act(() => result.current[1](theme));
  const shown = () => [result.current[0], document.documentElement.dataset["theme"]];
  choose("light");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("no room", "QuotaExceededError");
  });
  choose("dark");
  expect(shown()).toEqual(["dark", "dark"]);
  full.mockRestore();
  choose("light");
  expect(shown()).toEqual(["light", "light"]);
  choose("system");
  expect(localStorage.getItem("quarterdeck.theme")).toBeNull();
});
