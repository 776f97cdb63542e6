// Edges as the library of the graph draws them, each with its route.

import { useState } from "react";
import type { GraphEdge } from "../../../generated/bindings/GraphEdge";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { t } from "../../../locales/i18n";
import { edgeRouter } from "./edge-router";
import { edgeId } from "./graph-model";
import { keepSame } from "./keep-same";
import styles from "./MissionCanvas.module.css";
import type { MissionFlowEdge } from "./MissionEdge";
import type { GraphPlaces } from "./usePlaces";

/** The edges of a graph; `chosen` is drawn as selected. */
export function useFlowEdges(
  graph: MissionGraph,
  { boxes, points }: GraphPlaces,
  chosen: GraphEdge | null,
): MissionFlowEdge[] {
  const [router] = useState(edgeRouter);
  const [kept] = useState(() => keepSame<MissionFlowEdge>(isSameEdge));
  const looks = useLooks(graph);
  const routes = router(boxes, points ?? new Map(), looks);
  const chosenId = chosen && edgeId(chosen);
  return kept(
    looks.map(({ id, from, to, look }) => ({
      ...look,
      id,
      source: from,
      target: to,
      type: "mission",
      data: { route: routes.get(id) },
      selected: id === chosenId,
      interactionWidth: 18,
    })),
  );
}

/** The router gives the same route again while nothing comes near to it. */
function isSameEdge(one: MissionFlowEdge, other: MissionFlowEdge): boolean {
  const isDrawnSame = one.className === other.className && one.label === other.label && one.selected === other.selected;
  return isDrawnSame && one.ariaLabel === other.ariaLabel && one.data?.route === other.data?.route;
}

/** The words and the look of each edge: they stay while missions are dragged, which lays edges out anew with each step. */
function useLooks({ nodes, edges }: MissionGraph) {
  // Untold, the compiler keeps what a hook gives only if that calls another hook.
  "use memo";
  // None of them searches all missions for its end.
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.map((edge) => lookOf(edge, byId.get(edge.to)));
}

function lookOf(edge: GraphEdge, end: MissionNode | undefined) {
  const { from, to, kind, state } = edge;
  const isRunning = end !== undefined && end.goal !== null && state === "met";
  const kindOfLine = edge.in === "draft" ? "draft" : state === "broken" ? "broken" : isRunning ? "running" : "plain";
  const spoken = edge.in === "draft" ? t("mission_graph.not_active_yet") : t(`mission_graph.edge_${kind}`);
  const label = labelOf(edge, end);
  const look = {
    className: [styles.edge, styles[kindOfLine], styles[kind]].filter(Boolean).join(" "),
    markerEnd: `mission-${kindOfLine}`,
    ariaLabel: t("mission_graph.edge_spoken", { from, to, label: spoken }),
    label,
  };
  return { id: edgeId(edge), from, to, words: label ?? "", look };
}

/** A draft is dashed as a whole; an edge needs the words where only it is not active yet (ME-04). */
function labelOf({ kind, in: text }: GraphEdge, end: MissionNode | undefined): string | undefined {
  if (kind !== "depends_on") return t(`mission_graph.label_${kind}`);
  const wasActivated = end !== undefined && end.activated_hash !== null;
  return text === "draft" && wasActivated ? t("mission_graph.label_draft") : undefined;
}
