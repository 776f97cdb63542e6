import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Split } from "./Split";

const media = vi.hoisted(() => ({ narrow: false }));
vi.mock("./media", () => ({ useMedia: () => media.narrow }));

function split() {
  return (
    <Split
      id="queue"
      label="Width of the queue"
      along="row"
      first_px={240}
      min_px={120}
      max_px={360}
      first={<p>queue</p>}
      second={<input aria-label="Reason" />}
    />
  );
}

it("keeps what is written in a part when the window becomes one column", () => {
  const view = render(split());
  fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "too close" } });
  media.narrow = true;
  act(() => view.rerender(split()));
  expect(screen.getByLabelText<HTMLInputElement>("Reason").value).toBe("too close");
});
