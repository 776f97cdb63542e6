// Lines of an SVG. It is read as text: nothing in it is ever shown as a page, loaded or run.

import { SaxesParser, type SaxesTagPlain } from "saxes";
import { SVGPathData } from "svg-pathdata";
import { type Drawing, type Line, Lines, PlanFault } from "./plan-file";
import { Areas, isClosed } from "./areas";
import { boundsOf } from "../../../../domain/scene/flat/scene-plan";
import { IDENTITY, type Matrix, moved, parseTransform, times } from "./svg-transform";

/** Text that is read between two looks at the progress. */
const PIECE_CHARS = 256 * 1024;
/** Points of a curve. */
const CURVE_POINTS = 12;
const CIRCLE_POINTS = 32;
/** Elements whose contents are not drawn where they stand, or are no lines. */
const NOT_DRAWN = new Set([
  "clipPath",
  "defs",
  "foreignObject",
  "marker",
  "mask",
  "metadata",
  "pattern",
  "script",
  "style",
  "symbol",
  "text",
]);
/** Metres of the units of a length; pixels are no measure of a building. */
const UNITS_M: Readonly<Record<string, number>> = { mm: 0.001, cm: 0.01, in: 0.0254, m: 1 };

/** Reads an SVG; its lower left corner becomes the origin. */
export function readSvg(text: string, onPart: (part: number) => void): Drawing {
  const parser = new SaxesParser({ xmlns: false });
  const reader = new SvgReader();
  parser.on("opentag", (tag) => reader.open(tag));
  parser.on("text", (words) => reader.text(words));
  parser.on("closetag", () => reader.close());
  parser.on("error", () => {
    // The parser goes on after an error unless its handler throws.
    throw new PlanFault("bad_svg");
  });
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    onPart(at / text.length);
    parser.write(text.slice(at, at + PIECE_CHARS));
  }
  parser.close();
  if (!reader.isSvg) throw new PlanFault("bad_svg");
  const { low, high } = boundsOf(reader.lines.all);
  // In an SVG y grows downwards.
  const upwards = (line: Line) => line.map(([x, y]): Line[0] & {} => [x - low[0], high[1] - y]);
  const lines = reader.lines.all.map(upwards);
  const areas = reader.areas.all.map(({ name, corners }) => ({ name, corners: upwards(corners) }));
  return { kind: "svg", lines, areas, metres_per_unit: reader.metres_per_unit, placed: false };
}

/** An element that is open: its place, its name, and the lines that were drawn in it so far. */
type Open = {
  local: string;
  matrix: Matrix;
  drawn: boolean;
  title: string;
  label: string;
  count: number;
  /** Its only line, if that is closed and has given no area its edge yet. */
  only: Line | null;
};

const OUTSIDE: Readonly<Open> = {
  local: "",
  matrix: IDENTITY,
  drawn: true,
  title: "",
  label: "",
  count: 0,
  only: null,
};

/** Ids that drawing programs give by themselves. */
const OWN_ID = /^(?:g|group|layer|svg|use|xmlid)[-_]?\d*_?$/iu;
/** Characters of a title that are kept; a name has fewer. */
const TITLE_CHARS = 200;

/** Collects lines, with the transforms of the elements around them, and the areas that they name. */
class SvgReader {
  readonly lines = new Lines();
  readonly areas = new Areas();
  metres_per_unit: number | null = null;
  isSvg = false;
  readonly #around: Open[] = [{ ...OUTSIDE }];

  open({ name, attributes }: SaxesTagPlain): void {
    const local = name.slice(name.indexOf(":") + 1);
    const outer = this.#around.at(-1) ?? OUTSIDE;
    if (this.#around.length === 1) {
      this.isSvg = local === "svg";
      this.metres_per_unit = metresPerUnit(attributes);
    }
    const matrix = times(outer.matrix, parseTransform(attributes["transform"] ?? ""));
    const hidden = attributes["display"] === "none" || /display\s*:\s*none/.test(attributes["style"] ?? "");
    const drawn = outer.drawn && !hidden && !NOT_DRAWN.has(local);
    const found = drawn ? linesOf(local, attributes).filter(({ length }) => length > 1) : [];
    const lines = found.map((line) => line.map((point) => moved(matrix, point)));
    for (const line of lines) this.lines.add(line);
    const [first] = lines;
    const only = lines.length === 1 && first && isClosed(first) ? first : null;
    this.#around.push({
      local,
      matrix,
      drawn,
      title: "",
      label: labelOf(local, attributes),
      count: lines.length,
      only,
    });
  }

  text(words: string): void {
    const [of, title] = this.#around.slice(-2);
    if (title?.local === "title" && of && of.title.length < TITLE_CHARS) of.title += words.slice(0, TITLE_CHARS);
  }

  /** A closed line is an area where it has a name, or is all that is drawn in a group with one. */
  close(): void {
    const done = this.#around.pop();
    const outer = this.#around.at(-1);
    if (!done || !outer) return;
    const name = done.title.trim() === "" ? done.label : done.title;
    if (done.only !== null && name !== "" && done.local !== "svg") {
      this.areas.add(name, done.only);
      done.only = null;
    }
    outer.only = outer.count === 0 ? done.only : done.count === 0 ? outer.only : null;
    outer.count += done.count;
  }
}

type Attributes = Readonly<Record<string, string>>;

/** The name of a group that a person has given it. */
function labelOf(local: string, attributes: Attributes): string {
  if (local !== "g") return "";
  const id = attributes["id"] ?? "";
  return attributes["inkscape:label"] ?? (OWN_ID.test(id) ? "" : id);
}

/** Metres of a unit, where the width of the whole is a length and its view has a width. */
function metresPerUnit(attributes: Attributes): number | null {
  const [, number, unit] = /^\s*([\d.]+)\s*(mm|cm|in|m)\s*$/.exec(attributes["width"] ?? "") ?? [];
  const [, , wide] = (attributes["viewBox"] ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const metres = Number(number) * (UNITS_M[unit ?? ""] ?? Number.NaN);
  const per = metres / (wide ?? Number.NaN);
  return Number.isFinite(per) && per > 0 ? per : null;
}

function linesOf(name: string, attributes: Attributes): Line[] {
  const number = (key: string) => Number.parseFloat(attributes[key] ?? "0");
  switch (name) {
    case "line":
      return [
        [
          [number("x1"), number("y1")],
          [number("x2"), number("y2")],
        ],
      ];
    case "polyline":
      return [pointsOf(attributes["points"] ?? "")];
    case "polygon":
      return [closed(pointsOf(attributes["points"] ?? ""))];
    case "rect": {
      const [x, y, width, height] = [number("x"), number("y"), number("width"), number("height")];
      const corners: Line = [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ];
      return width > 0 && height > 0 ? [closed(corners)] : [];
    }
    case "circle":
      return [ellipse(number("cx"), number("cy"), number("r"), number("r"))];
    case "ellipse":
      return [ellipse(number("cx"), number("cy"), number("rx"), number("ry"))];
    case "path":
      return pathLines(attributes["d"] ?? "");
    default:
      return [];
  }
}

function pointsOf(text: string): Line {
  const numbers = (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
  const points: Line = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) points.push([numbers[at] ?? 0, numbers[at + 1] ?? 0]);
  return points;
}

function closed(line: Line): Line {
  const [first] = line;
  return first ? [...line, first] : [];
}

function ellipse(cx: number, cy: number, rx: number, ry: number): Line {
  if (!(rx > 0 && ry > 0)) return [];
  return Array.from({ length: CIRCLE_POINTS + 1 }, (_, at) => {
    const angle = (2 * Math.PI * at) / CIRCLE_POINTS;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
  });
}

/** A path as chains of straight pieces; one that cannot be read is left out. */
function pathLines(d: string): Line[] {
  const lines: Line[] = [];
  let line: Line = [];
  const end = () => {
    lines.push(line);
    line = [];
  };
  let commands: SVGPathData["commands"];
  try {
    commands = new SVGPathData(d).toAbs().normalizeHVZ(false).normalizeST().qtToC().aToC().commands;
  } catch {
    return [];
  }
  for (const command of commands) {
    if (command.type === SVGPathData.MOVE_TO) {
      end();
      line = [[command.x, command.y]];
    } else if (command.type === SVGPathData.LINE_TO) line.push([command.x, command.y]);
    else if (command.type === SVGPathData.CURVE_TO) {
      const from = line.at(-1) ?? [command.x1, command.y1];
      for (let at = 1; at <= CURVE_POINTS; at += 1) line.push(onCurve(from, command, at / CURVE_POINTS));
    } else if (command.type === SVGPathData.CLOSE_PATH) {
      const [first] = line;
      if (first) line.push(first);
      end();
      // What follows without a move begins where the closed one began.
      if (first) line = [first];
    }
  }
  end();
  return lines;
}

type Curve = { x1: number; y1: number; x2: number; y2: number; x: number; y: number };

function onCurve([x0, y0]: Line[0] & {}, { x1, y1, x2, y2, x, y }: Curve, part: number): Line[0] & {} {
  const rest = 1 - part;
  const mix = (a: number, b: number, c: number, d: number) =>
    rest ** 3 * a + 3 * rest ** 2 * part * b + 3 * rest * part ** 2 * c + part ** 3 * d;
  return [mix(x0, x1, x2, x), mix(y0, y1, y2, y)];
}
