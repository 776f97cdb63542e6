import { BaseEdge, type EdgeProps, getSmoothStepPath } from "@xyflow/react";

/** Radius of its corners, px. */
const CORNER = 8;
/** Below a mission an edge turns after this, px. */
const TURN = 20;

/** An edge with its words where no mission covers them. */
export function MissionEdge(props: EdgeProps) {
  const { id, label, markerEnd, interactionWidth, sourceX, sourceY, targetX, targetY } = props;
  const [path, middleX, middleY] = getSmoothStepPath({ ...props, borderRadius: CORNER, offset: TURN });
  // One that leads up again passes between missions, which leave its words no room; below the first there is some.
  const leadsUp = targetY < sourceY + 2 * TURN;
  const [labelX, labelY] = leadsUp ? [(sourceX + (sourceX + targetX) / 2) / 2, sourceY + TURN] : [middleX, middleY];
  return (
    <BaseEdge
      id={id}
      path={path}
      label={label}
      labelX={labelX}
      labelY={labelY}
      {...(markerEnd === undefined ? {} : { markerEnd })}
      {...(interactionWidth === undefined ? {} : { interactionWidth })}
    />
  );
}
