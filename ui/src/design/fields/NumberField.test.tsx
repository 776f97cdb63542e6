import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { NumberField } from "./NumberField";

/** The text after an arrow key, or null if it stays. */
function stepUp(text: string) {
  const onText = vi.fn();
  render(<NumberField field={{ label: "x max", unit: "m", step: 0.1 }} text={text} problem={null} onText={onText} />);
  fireEvent.keyDown(screen.getByLabelText("x max"), { key: "ArrowUp" });
  return onText.mock.calls[0]?.[0] ?? null;
}

it.each([
  ["1.5", "1.6"],
  ["", "0.1"],
  ["1,500", null],
  ["1.5 m", null],
])("a step from %j gives %j", (text, next) => expect(stepUp(text)).toBe(next));
