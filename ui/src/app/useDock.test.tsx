import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { suggest } from "../shared/agent/draft";
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
