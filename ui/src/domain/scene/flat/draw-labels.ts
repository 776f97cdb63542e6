// Names of the scene, written last: over everything that is drawn, and never over one another.

import { type Box, placeLabels } from "./labels";
import { type Plate, writeText } from "./pen";
import type { CanvasSize } from "./view";

/** One line of a name. */
export type LabelLine = { text: string; color: string; strong: boolean };

/** A name to write. `places` are the boxes of this size that it would stand in, the best first. */
export type Label = {
  id: string;
  priority: number;
  lines: readonly LabelLine[];
  places: (size: CanvasSize) => readonly Box[];
};

/** Ranks of what has a name. */
export const PRIORITY = { area: 0, limit: 1, draft: 2, goal: 3, robot: 4, trouble: 5, chosen: 6, denial: 7 } as const;

/** Height of a line, px. */
const LINE_PX = 16;

/** Writes what has room; the answer is the place of each name, for the next time. */
export function drawLabels(plate: Plate, room: Box, before: ReadonlyMap<string, number>): Map<string, number> {
  const { context, labels, taken } = plate;
  const wishes = labels.map((label) => ({
    id: label.id,
    priority: label.priority,
    places: label.places(sizeOf(plate, label)),
  }));
  const placed = placeLabels(wishes, room, taken, before);
  for (const { id, lines } of labels) {
    const box = placed.get(id)?.box;
    if (!box) continue;
    for (const [index, line] of lines.entries()) {
      context.font = fontOf(plate, line);
      writeText(plate, line.text, [box.left, box.top + (index + 0.5) * LINE_PX], line.color);
    }
  }
  return new Map([...placed].map(([id, { place }]) => [id, place]));
}

function sizeOf(plate: Plate, { lines }: Label): CanvasSize {
  const widths = lines.map((line) => {
    // A width is that of the font that is set.
    plate.context.font = fontOf(plate, line);
    return plate.context.measureText(line.text).width;
  });
  return { width_px: Math.max(0, ...widths), height_px: lines.length * LINE_PX };
}

function fontOf({ ink }: Plate, { strong }: LabelLine): string {
  return strong ? ink.font_strong : ink.font;
}
