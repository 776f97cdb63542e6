import { fireEvent, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { fakeStation, renderWith } from "../testing/station";
import { Shell } from "./Shell";
import styles from "./Shell.module.css";

const failing = vi.hoisted(() => ({ of: "bars" }));

function failOrSay(said: string) {
  if (failing.of === "bars") throw new Error("out of order");
  return said;
}

vi.mock("./TopBar", () => ({ TopBar: () => failOrSay("the top bar is back") }));
vi.mock("./Rail", () => ({ Rail: () => failOrSay("the rail is back") }));
vi.mock("./StatusBar", () => ({ StatusBar: () => failOrSay("the status bar is back") }));
vi.mock("../features/agent/AgentDock", () => ({ AgentDock: () => null }));
vi.mock("./Routes", () => ({ Routes: () => null }));

vi.mock("./DockSplit", () => ({
  DockSplit: ({ main }: { main: ReactNode }) => {
    if (failing.of === "frame") throw new Error("storage is denied");
    return main;
  },
}));

// React says of every caught error that it was caught.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

function show() {
  const { hook } = memoryLocation({ path: "/overview" });
  renderWith(
    fakeStation(),
    <Router hook={hook}>
      <Shell />
    </Router>,
  );
}

it.each([
  ["the top bar", /^The top bar failed/, styles.top],
  ["the rail", /^Views failed/, styles.rail],
  ["the status bar", /^The status bar failed/, styles.status],
])("the failure of %s is said, and undone, in its own place", (part, says, place) => {
  failing.of = "bars";
  show();
  const fallback = screen.getByText(says).closest<HTMLElement>(`.${place}`);
  expect(fallback?.parentElement?.dataset["mode"]).toBe("sim");
  failing.of = "none";
  fireEvent.click(within(fallback ?? document.body).getByRole("button", { name: "Retry" }));
  expect(screen.getByText(`${part} is back`, { exact: false })).toBeTruthy();
});

it("a window whose frame fails says so, instead of an empty page, and can be tried again", () => {
  failing.of = "frame";
  show();
  expect(screen.getByText("The window failed. STOP ALL still works.")).toBeTruthy();
  failing.of = "none";
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(screen.getByText(/the top bar is back/)).toBeTruthy();
});
