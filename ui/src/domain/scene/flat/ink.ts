// The tokens a canvas draws with; a canvas cannot read CSS variables by itself.

/** Colours, strokes and fonts of the present theme. */
export type Ink = {
  ground: string;
  panel: string;
  text: string;
  muted: string;
  line: string;
  predicted: string;
  hatch: string;
  font: string;
  stroke_px: number;
  strong_px: number;
};

/** Reads the tokens that apply to an element. */
export function readInk(element: Element): Ink {
  const style = getComputedStyle(element);
  const read = (token: string) => style.getPropertyValue(token).trim();
  return {
    ground: read("--ground"),
    panel: read("--panel"),
    text: read("--text"),
    muted: read("--text-muted"),
    line: read("--line"),
    predicted: read("--predicted"),
    hatch: read("--stale-hatch"),
    font: `${read("--size-small")} ${read("--font")}`,
    stroke_px: Number.parseFloat(read("--stroke")),
    strong_px: Number.parseFloat(read("--stroke-strong")),
  };
}
