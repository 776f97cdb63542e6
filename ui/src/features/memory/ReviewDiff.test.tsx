import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ReviewDiff } from "./ReviewDiff";

it("shows what nobody would see in words that a person decides on", () => {
  render(<ReviewDiff before="The gate opens." after={"The gate\u202e opens\u{e0041} now.\nNot before."} />);
  const after = screen.getByTestId("review-after");
  expect([after.textContent, screen.getAllByRole("img").map(({ title }) => title)]).toEqual([
    "ThenThe gateU+202E opensU+E0041 now.\nNot before.",
    ["U+202E, reversed reading direction", "U+E0041, invisible characters"],
  ]);
});
