import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { fakeStation, renderWith } from "../testing/station";
import { Shell } from "./Shell";
import styles from "./Shell.module.css";

const failing = vi.hoisted(() => ({ is: true }));

function failOrSay(said: string) {
  if (failing.is) throw new Error("out of order");
  return said;
}

vi.mock("./TopBar", () => ({ TopBar: () => failOrSay("the top bar is back") }));
vi.mock("./Rail", () => ({ Rail: () => failOrSay("the rail is back") }));
vi.mock("./StatusBar", () => ({ StatusBar: () => failOrSay("the status bar is back") }));
vi.mock("../features/agent/AgentDock", () => ({ AgentDock: () => null }));
vi.mock("./Routes", () => ({ Routes: () => null }));

// React says of every caught error that it was caught.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

it.each([
  ["the top bar", /^The top bar failed/, styles.top],
  ["the rail", /^Views failed/, styles.rail],
  ["the status bar", /^The status bar failed/, styles.status],
])("U-209 the failure of %s is said, and undone, in its own place", (part, says, place) => {
  failing.is = true;
  const { hook } = memoryLocation({ path: "/overview" });
  renderWith(
    fakeStation(),
    <Router hook={hook}>
      <Shell />
    </Router>,
  );
  const fallback = screen.getByText(says).closest<HTMLElement>(`.${place}`);
  expect(fallback?.parentElement?.dataset["mode"]).toBe("sim");
  failing.is = false;
  fireEvent.click(within(fallback ?? document.body).getByRole("button", { name: "Retry" }));
  expect(screen.getByText(`${part} is back`, { exact: false })).toBeTruthy();
});
