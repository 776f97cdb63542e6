// Goals of open proposals: predicted, hence dashed and in the colour of predictions.

import { PRIORITY } from "./draw-labels";
import { besides, squareAround } from "./labels";
import { type Pen, spot, strokeLine } from "./pen";
import type { SceneGoal } from "./scene-model";

const CROSS_PX = 10;
const RING_PX = 7;

/** Draws the straight estimate and a cross at its end. */
export function drawGoals(pen: Pen, goals: readonly SceneGoal[], label: string): void {
  const { context, ink } = pen;
  for (const [index, goal] of goals.entries()) {
    const from = spot(pen, goal.from_m);
    const to = spot(pen, goal.to_m);
    const [x, y] = to;
    context.strokeStyle = ink.predicted;
    context.lineWidth = ink.strong_px;
    strokeLine(pen, [from, to], [6, 5]);
    context.beginPath();
    context.arc(x, y, RING_PX, 0, 2 * Math.PI);
    context.fillStyle = ink.scene;
    context.fill();
    context.setLineDash([4, 3]);
    context.stroke();
    context.setLineDash([]);
    for (const cross of [
      [
        [x - CROSS_PX, y],
        [x + CROSS_PX, y],
      ],
      [
        [x, y - CROSS_PX],
        [x, y + CROSS_PX],
      ],
    ] as const)
      strokeLine(pen, cross);
    pen.taken.push(squareAround(to, CROSS_PX));
    const name = goal.robot === null ? [] : [{ text: goal.robot, color: ink.predicted, strong: true }];
    pen.labels.push({
      id: `goal ${index}`,
      priority: PRIORITY.goal,
      lines: [...name, { text: label, color: ink.predicted, strong: name.length === 0 }],
      places: (size) => besides(to, CROSS_PX, size),
    });
  }
}
