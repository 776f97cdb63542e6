import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { suggest } from "../domain/agent/draft";
import { useDock } from "./useDock";

beforeEach(() => localStorage.clear());

function Dock() {
  const { open, toggle } = useDock();
  return (
    <button type="button" onClick={toggle}>
      {open ? "open" : "closed"}
    </button>
  );
}

it("U-208 a dock that is closed opens for words that another screen puts into the message", () => {
  localStorage.setItem("quarterdeck.dock", "closed");
  render(<Dock />);
  expect(screen.getByRole("button").textContent).toBe("closed");
  act(() => suggest({ agent: "main", conversation: null }, "Why?"));
  expect(screen.getByRole("button").textContent).toBe("open");
});

function DockAndField() {
  const dock = useDock();
  return (
    <>
      <main data-region="main" tabIndex={-1}>
        <button type="button">Disarm</button>
      </main>
      <aside data-region="dock" hidden={!dock.open} onKeyDown={dock.onKeyDown}>
        <textarea id="composer" aria-label="Message" />
      </aside>
      <button type="button" onFocus={(event) => event.currentTarget.blur()} onClick={dock.reach}>
        Ctrl+J
      </button>
    </>
  );
}

const focused = (element: () => HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element()));
const field = () => screen.getByLabelText("Message");
const reach = () => act(async () => void fireEvent.click(screen.getByText("Ctrl+J")));

it("U-912 the key goes to the field of an open dock, Escape goes back, and only from inside it closes the dock", async () => {
  HTMLElement.prototype.checkVisibility = function isShown() {
    return this.closest("[hidden]") === null;
  };
  render(<DockAndField />);
  const disarm = screen.getByText("Disarm");
  disarm.focus();
  await reach();
  await focused(field);
  fireEvent.keyDown(field(), { key: "Escape" });
  expect(document.activeElement).toBe(disarm);
  await reach();
  await focused(field);
  await reach();
  expect([screen.queryByRole("textbox"), document.activeElement]).toEqual([null, disarm]);
  await reach();
  await focused(field);
});
