// Missions as the library of the graph draws them.

import { Position } from "@xyflow/react";
import { useState } from "react";
import type { LockRow } from "../../../generated/bindings/LockRow";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { useLive } from "../../../domain/station/useLive";
import { useRows } from "../../../domain/station/useRows";
import { grouped, missingOf, NODE_WIDTH } from "./graph-model";
import { keepSame } from "./keep-same";
import type { MissingFlowNode, MissionFlowNode } from "./MissionCard";
import { lockOf } from "./node-lock";
import { spokenOf } from "./node-words";
import type { GraphPlaces } from "./usePlaces";

type FlowNode = MissionFlowNode | MissingFlowNode;

const NO_LOCKS: readonly LockRow[] = [];

/** The words of each mission: they stay while missions are dragged. */
function useCards({ nodes }: MissionGraph, mayChange: boolean) {
  const agent = useLive((store) => store.agent);
  const locks = useRows("locks", "list_locks", {}).data?.rows ?? NO_LOCKS;
  const byMission = grouped(locks, ({ owner }) => (owner && "mission" in owner ? owner.mission.id : null));
  return nodes.map((node) => {
    const lock = lockOf(node, byMission.get(node.id) ?? NO_LOCKS, agent);
    return {
      id: node.id,
      data: { node, mayConnect: mayChange, lock },
      ariaLabel: lock === null ? spokenOf(node) : `${spokenOf(node)}, ${lock.words}`,
    };
  });
}

/** The missions of a graph, and those that edges name and that there are not. Their sizes are known, so that it measures nothing. */
export function useFlowNodes(
  graph: MissionGraph,
  { points, boxes }: GraphPlaces,
  selected: string | undefined,
  mayChange: boolean,
): FlowNode[] {
  // A step of a drag makes one mission anew; the library draws all that are not the same object.
  const [kept] = useState(() => keepSame<FlowNode>(isSameNode));
  const cards = useCards(graph, mayChange);
  const sizes = new Map(boxes.map((box) => [box.id, box]));
  const shared = (id: string) => {
    const height = sizes.get(id)?.height ?? 0;
    return {
      id,
      position: points?.get(id) ?? { x: 0, y: 0 },
      width: NODE_WIDTH,
      height,
      measured: { width: NODE_WIDTH, height },
      handles: [
        { type: "target" as const, position: Position.Top, x: NODE_WIDTH / 2, y: 0 },
        { type: "source" as const, position: Position.Bottom, x: NODE_WIDTH / 2, y: height },
      ],
    };
  };
  return kept([
    ...cards.map((card) => ({
      ...shared(card.id),
      ...card,
      type: "mission" as const,
      selected: card.id === selected,
    })),
    ...missingOf(graph).map((id) => ({
      ...shared(id),
      type: "missing" as const,
      data: { id },
      draggable: false,
      focusable: false,
      selectable: false,
    })),
  ]);
}

function isSameNode(one: FlowNode, other: FlowNode): boolean {
  const isInPlace = one.position.x === other.position.x && one.position.y === other.position.y;
  // The words of one that is missing are its id.
  const saysSame = one.type === "missing" ? other.type === "missing" : one.data === other.data;
  return isInPlace && saysSame && one.height === other.height && one.selected === other.selected;
}
