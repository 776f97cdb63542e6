import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Button } from "./Button";

const button = () => screen.getByRole<HTMLButtonElement>("button");

it("keeps the focus when it is shut under the hand, and takes no press", () => {
  const [onClick, onSubmit] = [vi.fn(), vi.fn((event) => event.preventDefault())];
  const form = (disabled: boolean) => (
    <form onSubmit={onSubmit}>
      <Button type="submit" disabled={disabled} onClick={onClick}>
        Send
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  act(() => button().focus());
  rerender(form(true));
  expect([button().disabled, button().getAttribute("aria-disabled")]).toEqual([false, "true"]);
  fireEvent.click(button());
  expect([onClick, onSubmit].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  rerender(form(false));
  fireEvent.click(button());
  expect([onClick, onSubmit].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it("is no stop of the Tab key while it is shut, unless the focus is in it", () => {
  render(
    <Button disabled onClick={() => undefined}>
      Send
    </Button>,
  );
  expect(button().disabled).toBe(true);
});

it("stays shut in the ordinary way once the focus has gone on", () => {
  const { rerender } = render(<Button>Send</Button>);
  act(() => button().focus());
  rerender(<Button disabled>Send</Button>);
  fireEvent.blur(button());
  // The window went to the background: the button still is the one with the focus.
  expect(button().disabled).toBe(false);
  act(() => button().blur());
  expect(button().disabled).toBe(true);
});
