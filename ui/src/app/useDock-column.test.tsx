import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { useDock } from "./useDock";

vi.mock("../design/layout/media", () => ({ useMedia: () => true }));

beforeEach(() => {
  localStorage.clear();
  location.hash = "";
  // jsdom lays nothing out.
  HTMLElement.prototype.checkVisibility = () => true;
});

function Window() {
  const dock = useDock();
  return (
    <>
      <main data-region="main" tabIndex={-1} />
      <aside data-region="dock" hidden={!dock.open}>
        <a href="/world">the world</a>
      </aside>
      <button type="button" onClick={dock.toggle}>
        Agent
      </button>
    </>
  );
}

it("the dock of one column says nothing about the wide window", () => {
  render(<Window />);
  fireEvent.click(screen.getByText("Agent"));
  expect([screen.getByRole("complementary").hidden, localStorage.getItem("quarterdeck.dock")]).toEqual([false, null]);
});

it("the focus does not stay in a dock that is closed", async () => {
  render(<Window />);
  fireEvent.click(screen.getByText("Agent"));
  screen.getByText("the world").focus();
  fireEvent.click(screen.getByText("Agent"));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
});
