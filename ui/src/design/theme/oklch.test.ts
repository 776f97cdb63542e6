import { expect, it } from "vitest";
import { hexOf } from "./oklch";

it("U-1103 a colour is the same whether its lightness is written as a number or, in a built style sheet, in percent", () => {
  expect(hexOf("oklch(0.158 0.009 255)")).toBe(hexOf("oklch(15.8% .009 255)"));
  expect(hexOf("oklch(100% 0 0)")).toBe("#ffffff");
  expect(hexOf("oklch(0% 0 0)")).toBe("#000000");
  expect(hexOf("CanvasText")).toBe("CanvasText");
});
