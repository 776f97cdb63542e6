import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Meter } from "./Meter";

it.each([
  [0.4, "40 %", "40%"],
  [1.62, "162 %", "100%"],
  [null, "–", "0%"],
  [Number.NaN, "–", "0%"],
])("a share of %s is heard as %s", (used, heard, width) => {
  render(<Meter used={used} label="Speed" />);
  const meter = screen.getByRole("meter", { name: "Speed" });
  expect([meter.getAttribute("aria-valuetext"), meter.querySelector("span")?.style.width]).toEqual([heard, width]);
});
