import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import type { GraphEdge } from "../../../generated/bindings/GraphEdge";
import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { GRAPH, NODE } from "../../../testing/missions";
import { useFlowEdges } from "./flow-edges";
import styles from "./MissionCanvas.module.css";
import type { GraphPlaces } from "./usePlaces";

const PLACES = { boxes: [], points: new Map() } as unknown as GraphPlaces;
const RUNNING: MissionNode = {
  ...NODE,
  id: "weld",
  state: "active",
  reason: null,
  goal: { number: 1, text: "Weld.", since_ms: 0 },
};
const edge = (change: Partial<GraphEdge>): GraphEdge => ({
  from: "patrol",
  to: "weld",
  kind: "depends_on",
  in: "both",
  state: "met",
  ...change,
});

/** The only edge of a graph whose end is `end`. */
function drawn(end: MissionNode, change: Partial<GraphEdge> = {}) {
  const graph = { ...GRAPH, nodes: [NODE, end], edges: [edge(change)] };
  const [found] = renderHook(() => useFlowEdges(graph, PLACES, null)).result.current;
  return { className: found?.className, markerEnd: found?.markerEnd };
}

it("U-1012 the way into a mission that runs is drawn thick once it is met, and no other", () => {
  expect(drawn(RUNNING).className?.split(" ")).toContain(styles["running"]);
  expect(drawn(RUNNING).markerEnd).toBe("mission-running");
  expect(drawn({ ...RUNNING, goal: null }).markerEnd).toBe("mission-plain");
  expect(drawn(RUNNING, { state: "open" }).markerEnd).toBe("mission-plain");
  expect(drawn(RUNNING, { state: "broken" }).markerEnd).toBe("mission-broken");
  expect(drawn(RUNNING, { in: "draft" }).markerEnd).toBe("mission-draft");
});
