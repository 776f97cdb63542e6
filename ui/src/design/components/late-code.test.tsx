import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ErrorBoundary } from "./ErrorBoundary";
import { lateCode } from "./late-code";
import { LazyPart } from "./LazyPart";

// React reports what a boundary catches.
beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

it("a part whose code could not be loaded is loaded when somebody tries again", async () => {
  let loads = 0;
  const Part = lateCode(async () => {
    loads += 1;
    if (loads === 1) throw new TypeError("Failed to fetch dynamically imported module");
    return () => <p>the part</p>;
  });
  render(
    <ErrorBoundary area="This view">
      <LazyPart>
        <Part />
      </LazyPart>
    </ErrorBoundary>,
  );
  const retry = await screen.findByRole("button", { name: "Retry" });
  expect(loads).toBe(1);
  fireEvent.click(retry);
  await screen.findByText("the part");
});

it("the failure of one screen is not shown on another", () => {
  const Failing = () => {
    throw new Error("no such shape");
  };
  const boundary = (shows: string) => (
    <ErrorBoundary area="This view" shows={shows}>
      {shows === "/world" ? <Failing /> : <p>alarms</p>}
    </ErrorBoundary>
  );
  const view = render(boundary("/world"));
  screen.getByText("no such shape");
  view.rerender(boundary("/alarms"));
  screen.getByText("alarms");
});
