import { act, fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Proposal } from "../../generated/bindings/Proposal";
import { proposal } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { Approvals } from "./Approvals";

// jsdom draws no canvas; what a scene holds is tested with its model.
vi.mock("../../domain/scene/flat/Scene", () => ({ Scene: () => null }));

async function show(first: Proposal[], id?: string) {
  let rows = first;
  const station = fakeStation({ list_proposals: () => rows, list_robots: [] });
  const view = renderWith(station, <Approvals id={id} />);
  await view.settled();
  return async (next: Proposal[]) => {
    rows = next;
    await act(() => view.queries.invalidateQueries());
    await view.settled();
  };
}

it("U-1204 a more urgent card that arrives does not take the place of the one that is being read", async () => {
  const changed = await show([proposal({ tier: "low" })]);
  await changed([proposal({ tier: "low" }), proposal({ id: "pr-2", tier: "high" })]);
  expect([screen.queryByTestId("proposal-pr-1"), screen.queryByTestId("proposal-pr-2")]).toEqual([
    screen.getByTestId("proposal-pr-1"),
    null,
  ]);
});

it("an address of a card that is no longer listed shows no other card in its place", async () => {
  await show([proposal()], "pr-9");
  expect(screen.queryByTestId("proposal-pr-1")).toBeNull();
  expect(screen.getByText("This proposal is no longer listed.")).toBeTruthy();
});

it("U-1209 a card that was decided stays in sight while nothing else waits, and gives way to what does", async () => {
  const changed = await show([proposal()]);
  expect(screen.getByTestId("proposal-pr-1")).toBeTruthy();
  await changed([proposal({ state: "running" })]);
  expect(screen.getByTestId("proposal-pr-1").dataset["state"]).toBe("running");
  await changed([proposal({ state: "done" }), proposal({ id: "pr-2" })]);
  expect([screen.queryByTestId("proposal-pr-1"), screen.getByTestId("proposal-pr-2")]).toContain(null);
});

it("U-1201 a card that comes under the hand waits behind the list until it is let in", async () => {
  const changed = await show([proposal()]);
  const paths = () => screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  act(() => screen.getAllByRole("link")[0]?.focus());
  await changed([proposal(), proposal({ id: "pr-2" })]);
  expect(paths()).not.toContain("/approvals/pr-2");
  fireEvent.click(screen.getByTestId("let-in"));
  expect([paths().includes("/approvals/pr-2"), screen.queryByTestId("let-in")]).toEqual([true, null]);
});
