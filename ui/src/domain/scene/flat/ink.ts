// The tokens a canvas draws with; a canvas cannot read CSS variables by itself.

import { hexOf } from "../../../design/theme/oklch";

/** Colours, strokes and fonts of the present theme. */
export type Ink = {
  ground: string;
  scene: string;
  grid: string;
  grid_major: string;
  text: string;
  muted: string;
  line: string;
  predicted: string;
  hatch: string;
  plan: string;
  plan_fill: string;
  map_free: string;
  focus: string;
  font: string;
  font_strong: string;
  figures: string;
  stroke_px: number;
  strong_px: number;
};

/** The same colours in hexadecimal digits, which WebGL reads. */
export function inHex(ink: Ink): Ink {
  const { ground, scene, grid, grid_major, plan, plan_fill, map_free, text, muted, line, predicted, hatch, focus } =
    ink;
  const colours = {
    ground,
    scene,
    grid,
    grid_major,
    plan,
    plan_fill,
    map_free,
    text,
    muted,
    line,
    predicted,
    hatch,
    focus,
  };
  const hex = Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, hexOf(colour)]));
  return { ...ink, ...hex };
}

/** Reads the tokens that apply to an element. */
export function readInk(element: Element): Ink {
  const style = getComputedStyle(element);
  const read = (token: string) => style.getPropertyValue(token).trim();
  return {
    ground: read("--ground"),
    scene: read("--scene"),
    grid: read("--grid"),
    grid_major: read("--grid-major"),
    text: read("--text"),
    muted: read("--text-muted"),
    line: read("--line"),
    predicted: read("--predicted"),
    hatch: read("--stale-hatch"),
    plan: read("--plan"),
    plan_fill: read("--plan-fill"),
    map_free: read("--map-free"),
    focus: read("--focus"),
    figures: `${read("--size-small")} ${read("--font-mono")}`,
    font: `${read("--size-small")} ${read("--font")}`,
    font_strong: `${read("--weight-strong")} ${read("--size-small")} ${read("--font")}`,
    stroke_px: Number.parseFloat(read("--stroke")),
    strong_px: Number.parseFloat(read("--stroke-strong")),
  };
}
