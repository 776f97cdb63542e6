import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { say, toasts } from "../design/components/toast-queue";
import { Toasts } from "../design/components/Toasts";
import { useShellKeys } from "./useShellKeys";

beforeEach(() => {
  // jsdom lays nothing out.
  HTMLElement.prototype.checkVisibility = function isShown() {
    return this.closest("[data-out-of-sight]") === null;
  };
});
afterEach(() => act(() => toasts.clear()));

function Window({ onPalette }: { onPalette: () => void }) {
  useShellKeys(() => undefined, onPalette);
  return (
    <>
      <div data-region="stop">
        <button type="button">STOP ALL</button>
      </div>
      <nav data-region="rail">
        <a href="#/overview">Overview</a>
      </nav>
      <div data-out-of-sight="">
        <main data-region="main" tabIndex={-1} />
      </div>
      <Toasts />
    </>
  );
}

const f6 = (shiftKey = false) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "F6", shiftKey });
  const focused = document.activeElement;
  return focused?.getAttribute("data-region") ?? focused?.textContent;
};

it("F6 reaches STOP ALL and every region in sight while a toast is shown", () => {
  render(<Window onPalette={() => undefined} />);
  act(() => say({ text: "Shift report deleted" }));
  expect([f6(), f6(), f6(), f6(), f6(true)]).toEqual(["STOP ALL", "Overview", "toasts", "STOP ALL", "toasts"]);
});

it("a key that is held opens the palette once", () => {
  const onPalette = vi.fn();
  render(<Window onPalette={onPalette} />);
  fireEvent.keyDown(screen.getByText("Overview"), { key: "k", ctrlKey: true });
  fireEvent.keyDown(screen.getByText("Overview"), { key: "k", ctrlKey: true, repeat: true });
  expect(onPalette).toHaveBeenCalledOnce();
});
