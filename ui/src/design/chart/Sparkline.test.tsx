import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Sparkline } from "./Sparkline";

const marksOf = (points: readonly { at_ms: number; value: string }[]) => {
  render(<Sparkline points={points} from_ms={-100} to_ms={0} name="door" />);
  // The first path is the line that the marks stand on.
  const [, ...marks] = screen.getByRole("img", { name: "door" }).querySelectorAll("path");
  return marks.map((mark) => mark.getAttribute("d"));
};

describe("U-1101 a small chart of words", () => {
  it("marks each change", () =>
    expect(
      marksOf([
        { at_ms: -80, value: "open" },
        { at_ms: -50, value: "closed" },
      ]),
    ).toEqual(["M20 5v10", "M50 5v10"]));

  it("has no mark for what held before it begins", () =>
    expect(
      marksOf([
        { at_ms: -500, value: "open" },
        { at_ms: -50, value: "closed" },
      ]),
    ).toEqual(["M50 5v10"]));
});
