// Edges as the library of the graph draws them, each with its route.

import { useState } from "react";
import type { GraphEdge } from "../../../generated/bindings/GraphEdge";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { t } from "../../../locales/i18n";
import type { Route } from "./edge-route";
import { edgeRouter } from "./edge-router";
import { edgeId } from "./graph-model";
import styles from "./MissionCanvas.module.css";
import type { MissionFlowEdge } from "./MissionEdge";
import type { GraphPlaces } from "./usePlaces";

/** The edges of a graph; `chosen` is drawn as selected. */
export function useFlowEdges(
  { nodes, edges }: MissionGraph,
  { boxes, points }: GraphPlaces,
  chosen: GraphEdge | null,
): MissionFlowEdge[] {
  const [router] = useState(edgeRouter);
  // Edges are drawn anew with each step of a drag: none of them searches all missions for its end.
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const wanted = edges.map((edge) => {
    const { from, to } = edge;
    return { id: edgeId(edge), from, to, words: labelOf(edge, byId.get(to)) ?? "" };
  });
  const routes = router(boxes, points ?? new Map(), wanted);
  return edges.map((edge) => flowEdge(edge, byId.get(edge.to), chosen, routes.get(edgeId(edge))));
}

function flowEdge(
  edge: GraphEdge,
  end: MissionNode | undefined,
  chosen: GraphEdge | null,
  route: Route | undefined,
): MissionFlowEdge {
  const { from, to, kind, state } = edge;
  const id = edgeId(edge);
  const isRunning = end !== undefined && end.goal !== null && state === "met";
  const look = edge.in === "draft" ? "draft" : state === "broken" ? "broken" : isRunning ? "running" : "plain";
  const label = edge.in === "draft" ? t("mission_graph.not_active_yet") : t(`mission_graph.edge_${kind}`);
  return {
    id,
    source: from,
    target: to,
    type: "mission",
    data: { route },
    className: [styles.edge, styles[look], styles[kind]].filter(Boolean).join(" "),
    markerEnd: `mission-${look}`,
    selected: chosen !== null && edgeId(chosen) === id,
    ariaLabel: t("mission_graph.edge_spoken", { from, to, label }),
    label: labelOf(edge, end),
    interactionWidth: 18,
  };
}

/** A draft is dashed as a whole; an edge needs the words where only it is not active yet (ME-04). */
function labelOf({ kind, in: text }: GraphEdge, end: MissionNode | undefined): string | undefined {
  if (kind !== "depends_on") return t(`mission_graph.label_${kind}`);
  const wasActivated = end !== undefined && end.activated_hash !== null;
  return text === "draft" && wasActivated ? t("mission_graph.label_draft") : undefined;
}
