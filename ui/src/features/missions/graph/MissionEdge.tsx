import { BaseEdge, type Edge, type EdgeProps } from "@xyflow/react";
import { pathOf, plainPoints, type Route } from "./edge-route";

/** An edge in the graph; without a route it goes straight to its end. */
export type MissionFlowEdge = Edge<{ route: Route | undefined }, "mission">;

/** An edge with its words where no mission covers them. */
export function MissionEdge(props: EdgeProps<MissionFlowEdge>) {
  const { id, data, label, markerEnd, interactionWidth, sourceX, sourceY, targetX, targetY } = props;
  const middle = { x: (sourceX + targetX) / 2, y: (sourceY + targetY) / 2 };
  const plain = () => plainPoints({ x: sourceX, y: sourceY }, { x: targetX, y: targetY });
  const { x, y } = data?.route?.label ?? middle;
  return (
    <BaseEdge
      id={id}
      path={pathOf(data?.route?.points ?? plain())}
      label={label}
      labelX={x}
      labelY={y}
      {...(markerEnd === undefined ? {} : { markerEnd })}
      {...(interactionWidth === undefined ? {} : { interactionWidth })}
    />
  );
}
