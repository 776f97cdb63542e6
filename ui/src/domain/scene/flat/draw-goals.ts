// Goals of open proposals: predicted, hence dashed and in the colour of predictions.

import { type Pen, spot, strokeLine, writeName } from "./pen";
import type { SceneGoal } from "./scene-model";

const CROSS_PX = 9;
const RING_PX = 6;

/** Draws the straight estimate and a cross at its end. */
export function drawGoals(pen: Pen, goals: readonly SceneGoal[], label: string): void {
  const { context, ink } = pen;
  for (const goal of goals) {
    const from = spot(pen, goal.from_m);
    const to = spot(pen, goal.to_m);
    const [x, y] = to;
    context.strokeStyle = ink.predicted;
    context.lineWidth = ink.strong_px;
    strokeLine(pen, [from, to], [6, 5]);
    strokeLine(pen, [
      [x - CROSS_PX, y],
      [x + CROSS_PX, y],
    ]);
    strokeLine(pen, [
      [x, y - CROSS_PX],
      [x, y + CROSS_PX],
    ]);
    context.beginPath();
    context.arc(x, y, RING_PX, 0, 2 * Math.PI);
    context.stroke();
    writeName(pen, label, to, CROSS_PX, ink.text);
  }
}
