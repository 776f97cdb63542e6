import { fireEvent, screen } from "@testing-library/react";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { describe, expect, it, vi } from "vitest";
import { DETAIL, GRAPH } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";

vi.mock("./graph/MissionCanvas", () => ({ MissionCanvas: () => null }));

async function show() {
  const station = fakeStation({
    mission_graph: GRAPH,
    get_mission: DETAIL,
    pause_all_missions: { paused: ["patrol"] },
  });
  const { hook } = memoryLocation({ path: "/missions" });
  const { settled } = renderWith(
    station,
    <Router hook={hook}>
      <Route path="/missions/:id?/:tab?">{({ id, tab }) => <Missions id={id} tab={tab} />}</Route>
    </Router>,
  );
  await settled();
  const asked = (name: string) => station.asked.filter((ask) => ask.name === name).map(({ input }) => input);
  return { asked, settled };
}

describe("U-1002 the list", () => {
  it("ME-12 says how far each is and has the keys of the graph: open, close, connect", async () => {
    await show();
    const row = screen.getByTestId("mission-patrol");
    expect(row.textContent).toContain("Night patrolwaiting");
    expect(row.getAttribute("aria-expanded")).toBe("true");
    expect(screen.getByTestId("mission-draft-1").getAttribute("aria-level")).toBe("2");
    expect(screen.getByTestId("mission-draft-1").textContent).toContain("1 error");
    row.focus();
    fireEvent.keyDown(row, { key: "ArrowLeft" });
    expect(screen.queryByTestId("mission-draft-1")).toBeNull();
    fireEvent.keyDown(row, { key: "ArrowRight" });
    fireEvent.keyDown(row, { key: "ArrowRight" });
    expect(document.activeElement).toBe(screen.getByTestId("mission-draft-1"));
    fireEvent.keyDown(screen.getByTestId("mission-draft-1"), { key: "l" });
    expect(screen.getByTestId("link-patrol")).toHaveProperty("disabled", true);
    expect(screen.getByTestId("link-patrol").textContent).toContain("It waits for it already.");
  });

  it("pauses all that are active", async () => {
    const { asked, settled } = await show();
    fireEvent.click(screen.getByTestId("pause-all"));
    await settled();
    expect(asked("pause_all_missions")).toEqual([{}]);
  });
});
