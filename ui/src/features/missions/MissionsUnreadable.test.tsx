import { screen } from "@testing-library/react";
import { Route, Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { expect, it, vi } from "vitest";
import type { MissionGraph } from "../../generated/bindings/MissionGraph";
import { DETAIL, GRAPH, NODE } from "../../testing/missions";
import { fakeStation, renderWith } from "../../testing/station";
import { Missions } from "./Missions";

// A graph that fails: whatever the library throws, the list is the way to the files.
vi.mock("./graph/MissionCanvas", () => ({
  MissionCanvas: () => {
    throw new Error("no layout");
  },
}));

async function show(mission_graph: MissionGraph) {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { hook } = memoryLocation({ path: "/missions" });
  const { settled } = renderWith(
    fakeStation({ mission_graph, get_mission: DETAIL }),
    <Router hook={hook}>
      <Route path="/missions/:id?/:tab?">{({ id, tab }) => <Missions id={id} tab={tab} />}</Route>
    </Router>,
  );
  await settled();
  vi.restoreAllMocks();
}

it("U-1015 a file that cannot be read stays in the list with its error, and is no empty graph", async () => {
  await show({
    ...GRAPH,
    nodes: [
      {
        ...NODE,
        id: "broken",
        title: "broken",
        hash: null,
        activated_hash: null,
        activated_at: null,
        status: "draft",
        state: "draft",
        reason: null,
        errors: 1,
        warnings: 0,
        error: "line 3: the file is not UTF-8",
      },
    ],
    edges: [],
  });
  const row = screen.getByTestId("mission-broken");
  expect(row.querySelector("a")?.title).toContain("line 3: the file is not UTF-8");
  expect(row.textContent).toContain("1 error");
  expect(screen.queryByText("No missions")).toBeNull();
});

it("U-1015 the list stays usable where the graph cannot be drawn", async () => {
  await show(GRAPH);
  expect(screen.getByTestId("mission-patrol").textContent).toContain("Night patrol");
  expect(screen.getByTestId("mission-graph").textContent).not.toBe("");
});

it("U-1015 a folder without a mission says what to do", async () => {
  await show({ ...GRAPH, nodes: [], edges: [] });
  expect(screen.getByTestId("mission-graph").textContent).toContain("Drop one here, import it, or write a new one.");
  expect(screen.queryByTestId("mission-patrol")).toBeNull();
});
