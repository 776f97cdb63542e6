import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HoldButton } from "./HoldButton";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("asks for the second of two steps for as long as it would act", () => {
  const onAct = vi.fn();
  const rest = { needsHold: true, disabled: false, pending: false, testId: "hold" };
  render(<HoldButton label="Approve" version="1" onAct={onAct} {...rest} />);
  const button = screen.getByTestId("hold");
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  pass(600);
  fireEvent.click(button, { detail: 0 });
  pass(4_900);
  expect(button.dataset["phase"]).toBe("armed");
  pass(200);
  expect(button.dataset["phase"]).toBe("idle");
  fireEvent.click(button, { detail: 0 });
  pass(700);
  fireEvent.click(button, { detail: 0 });
  expect(onAct).toHaveBeenCalledOnce();
});

it("keeps the focus while it sends, and begins no other hold", () => {
  const onAct = vi.fn();
  const hold = (pending: boolean) => (
    <HoldButton label="Approve" version="1" onAct={onAct} needsHold disabled={false} pending={pending} testId="hold" />
  );
  const { rerender } = render(hold(false));
  const button = screen.getByTestId<HTMLButtonElement>("hold");
  act(() => void vi.advanceTimersByTime(600));
  act(() => button.focus());
  rerender(hold(true));
  expect([button.disabled, button.getAttribute("aria-disabled")]).toEqual([false, "true"]);
  fireEvent.keyDown(button, { key: " " });
  act(() => void vi.advanceTimersByTime(1_100));
  expect(onAct).not.toHaveBeenCalled();
});
