import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { DetectedObject } from "../../generated/bindings/DetectedObject";
import { boxOf, DetectedObjects } from "./DetectedObjects";

it("U-406 a box stands where it is in the picture, and is cut off at its edge", () => {
  const dog: DetectedObject = { label: "dog", confidence: 0.875, min_px: [-4, 120], max_px: [80, 300] };
  expect(boxOf(dog, 320, 240)).toEqual({ left: "0.00%", top: "50.00%", width: "25.00%", height: "50.00%" });
});

it("U-406 an object is said in words with its confidence, also without a name", () => {
  const objects: DetectedObject[] = [
    { label: "person", confidence: 0.875, min_px: [0, 0], max_px: [1, 1] },
    { label: "", confidence: null, min_px: [0, 0], max_px: [1, 1] },
  ];
  render(<DetectedObjects objects={objects} width_px={320} height_px={240} />);
  const said = within(screen.getByRole("list", { name: "Detections" }))
    .getAllByRole("listitem")
    .map((item) => item.textContent);
  expect(said).toEqual(["person 88 %", "object"]);
});
