import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ChipList } from "./ChipList";

it("takes one name for a double click, and counts the next one in the list as it will be", () => {
  const [onAdd, onRemove] = [vi.fn(), vi.fn()];
  const settling = { hash: "h0", unsettled: false, refused: false };
  const given = { label: "Robots", values: ["arm-1", "rover-1"], options: ["arm-1", "rover-1", "rover-2"], settling };
  render(<ChipList {...given} problem={null} disabled={false} testId="robots" onAdd={onAdd} onRemove={onRemove} />);
  fireEvent.click(screen.getByTestId("robots-arm-1-remove"));
  fireEvent.click(screen.getByTestId("robots-rover-1-remove"));
  expect(onRemove.mock.calls).toEqual([[0]]);
  fireEvent.change(screen.getByTestId("robots-add"), { target: { value: "rover-2" } });
  expect(onAdd.mock.calls).toEqual([[1, "rover-2"]]);
});
