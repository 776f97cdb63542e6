import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Proposal } from "../../generated/bindings/Proposal";
import { proposal } from "../../testing/fixtures";
import { fakeStation, renderWith } from "../../testing/station";
import { Approvals } from "./Approvals";

// jsdom draws no canvas; what a scene holds is tested with its model.
vi.mock("../../domain/scene/flat/Scene", () => ({ Scene: () => null }));

it("U-1209 a card that was decided stays in sight while nothing else waits, and gives way to what does", async () => {
  let rows: Proposal[] = [proposal()];
  const station = fakeStation({ list_proposals: () => rows, list_robots: [] });
  const view = renderWith(station, <Approvals id={undefined} />);
  const changed = async (next: Proposal[]) => {
    rows = next;
    await act(() => view.queries.invalidateQueries());
    await view.settled();
  };
  await view.settled();
  expect(screen.getByTestId("proposal-pr-1")).toBeTruthy();
  await changed([proposal({ state: "running" })]);
  expect(screen.getByTestId("proposal-pr-1").dataset["state"]).toBe("running");
  await changed([proposal({ state: "done" }), proposal({ id: "pr-2" })]);
  expect([screen.queryByTestId("proposal-pr-1"), screen.getByTestId("proposal-pr-2")]).toContain(null);
});
