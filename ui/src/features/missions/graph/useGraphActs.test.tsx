import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { createQueryClient } from "../../../host/query";
import { StationContext } from "../../../domain/station/station-context";
import { later } from "../../../testing/later";
import { GRAPH, NODE } from "../../../testing/missions";
import { fakeStation } from "../../../testing/station";
import { useFlowEdges } from "./flow-edges";
import { useGraphActs } from "./useGraphActs";

function show(first: MissionGraph, answers: Record<string, unknown> = {}) {
  const station = fakeStation(answers);
  const { hook } = memoryLocation({ path: "/missions" });
  const queries = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StationContext value={station}>
      <QueryClientProvider client={queries}>
        <Router hook={hook}>{children}</Router>
      </QueryClientProvider>
    </StationContext>
  );
  const view = renderHook((graph: MissionGraph) => useGraphActs(graph, true), { wrapper, initialProps: first });
  const asked = (name: string) => station.asked.filter((one) => one.name === name).map(({ input }) => input);
  return { ...view, station, asked, acts: () => view.result.current };
}

const [EDGE] = GRAPH.edges;
const placed: MissionGraph = { ...GRAPH, nodes: GRAPH.nodes.map((node) => ({ ...node, at: [0, 0] })) };

it("forgets a chosen connection that is gone, so that Del takes away the mission", async () => {
  const { acts, rerender, asked } = show(placed, { remove_mission: { message: "Put away.", source: "" } });
  act(() => acts().setEdge(EDGE ?? null));
  expect(acts().edge).toBe(EDGE);
  rerender({ ...placed, edges: [] });
  expect(acts().edge).toBeNull();
  act(() => acts().remove("draft-1"));
  await waitFor(() => expect(asked("remove_mission")).toHaveLength(1));
});

it("says that a mission without a file has none, until that is closed", () => {
  const { acts } = show({ ...placed, nodes: [{ ...NODE, hash: null }] });
  act(() => acts().remove("patrol"));
  expect(acts().told).toBe("The file is missing or cannot be read.");
  act(() => acts().setTold(null));
  expect(acts().told).toBeNull();
});

it("ME-11 says that a layout failed", async () => {
  // This page has no threads, so that every layout fails.
  const { acts } = show(placed);
  act(() => acts().tidy());
  await waitFor(() => expect(acts().told).toBe("The graph could not be laid out. Nothing was moved."));
  expect(acts().isTidying).toBe(false);
});

it("ME-10 keeps a move for its agent although the screen is left at once", async () => {
  const { acts, asked, station, unmount } = show(placed, { save_mission_layout: { hash: "l1" } });
  act(() => acts().move({ patrol: [40, 60] }));
  station.store.agent = "other";
  unmount();
  await waitFor(() => expect(asked("save_mission_layout")).toHaveLength(1));
  expect(asked("save_mission_layout")[0]).toMatchObject({ agent: "main", positions: { patrol: [40, 60] } });
});

it("ME-10 keeps a move that waited for an earlier one when the screen was left", async () => {
  const first = later<{ hash: string }>();
  const answers = [first.promise, Promise.resolve({ hash: "l2" })];
  const { acts, asked, unmount } = show(placed, { save_mission_layout: () => answers.shift() });
  act(() => acts().move({ patrol: [40, 60] }));
  await waitFor(() => expect(asked("save_mission_layout")).toHaveLength(1), { timeout: 5_000 });
  act(() => acts().move({ patrol: [80, 60] }));
  unmount();
  first.resolve({ hash: "l1" });
  await waitFor(() => expect(asked("save_mission_layout")).toHaveLength(2));
  expect(asked("save_mission_layout")[1]).toMatchObject({ base_hash: "l1", positions: { patrol: [80, 60] } });
});

it("ME-10 a drag moves nothing but what is dragged", () => {
  const { acts } = show({
    ...placed,
    nodes: placed.nodes.map((node, at) => (at === 0 ? node : { ...node, at: null })),
  });
  const before = acts().places.points?.get("draft-1");
  act(() => acts().places.drag({ patrol: [900, 700] }));
  expect(acts().places.points?.get("patrol")).toEqual({ x: 900, y: 700 });
  expect(acts().places.points?.get("draft-1")).toEqual(before);
});

it("looks at each mission once for all edges", () => {
  let reads = 0;
  const nodes = Array.from({ length: 200 }, (_, at) =>
    Object.defineProperty({ ...NODE }, "id", {
      get: () => {
        reads += 1;
        return `m${at}`;
      },
    }),
  );
  const edges = nodes.slice(1).map((_, at) => ({ ...GRAPH.edges[0], from: `m${at}`, to: `m${at + 1}` }));
  const graph = { ...GRAPH, nodes, edges } as MissionGraph;
  const places = { boxes: [], points: new Map() } as unknown as Parameters<typeof useFlowEdges>[1];
  renderHook(() => useFlowEdges(graph, places, null));
  expect(reads).toBeLessThan(5 * nodes.length);
});
