// Lines of a DXF: LINE, LWPOLYLINE, POLYLINE, ARC and CIRCLE, also those of blocks that are inserted.

import Parser, { type IDxf, type IEntity } from "dxf-parser";
import { Areas } from "./areas";
import { type Drawing, type Line, Lines, PlanFault } from "./plan-file";
import { IDENTITY, type Matrix, moved, times } from "./svg-transform";

/** Metres of a unit of the drawing, by its `$INSUNITS`. */
const UNITS_M: Readonly<Record<number, number>> = { 1: 0.0254, 2: 0.3048, 4: 0.001, 5: 0.01, 6: 1, 7: 1_000, 14: 0.1 };
/** Blocks within blocks. */
const DEPTH_MAX = 8;
/** Blocks that are inserted in all: within one another they could be without number. */
const INSERTS_MAX = 50_000;
/** Pieces of a full circle. */
const CIRCLE_POINTS = 32;

/** The fields of entities that are read here, of whichever kind. */
type Fields = {
  visible?: boolean;
  vertices?: { x: number; y: number; bulge?: number }[];
  shape?: boolean;
  center?: { x: number; y: number };
  radius?: number;
  startAngle?: number;
  endAngle?: number;
  name?: string;
  position?: { x: number; y: number };
  xScale?: number;
  yScale?: number;
  rotation?: number;
};

/** Reads a DXF in its own coordinates. */
export function readDxf(text: string): Drawing {
  const drawing = parsed(text);
  const lines = new Lines();
  const reading: Reading = { drawing, lines, layers: new Map(), inserts: 0 };
  collect(reading, drawing.entities, IDENTITY, 0);
  const { header }: { header?: IDxf["header"] } = drawing;
  const units = header?.["$INSUNITS"];
  return {
    kind: "dxf",
    lines: lines.all,
    areas: areasOf(reading),
    metres_per_unit: typeof units === "number" ? (UNITS_M[units] ?? null) : null,
    placed: false,
  };
}

function parsed(text: string): IDxf {
  try {
    const drawing = new Parser().parseSync(text);
    if (drawing && Array.isArray(drawing.entities)) return drawing;
  } catch {
    // Said below.
  }
  throw new PlanFault("bad_dxf");
}

/** The drawing that is read, and what has been found in it. */
type Reading = { drawing: IDxf; lines: Lines; layers: Map<string, Layer>; inserts: number };

/** The lines that were found on a layer, and the only one if that is closed. */
type Layer = { count: number; only: Line | null };

/** Layers that every drawing has. */
const OWN_LAYERS = new Set(["0", "defpoints"]);

/** A layer whose only line is a closed one names an area. */
function areasOf({ layers }: Reading): Drawing["areas"] {
  const areas = new Areas();
  for (const [name, { count, only }] of layers) {
    if (count === 1 && only !== null && !OWN_LAYERS.has(name.toLowerCase())) areas.add(name, only);
  }
  return areas.all;
}

function collect(reading: Reading, entities: readonly IEntity[], matrix: Matrix, depth: number): void {
  const { drawing, lines } = reading;
  for (const entity of entities) {
    const fields = entity as unknown as Fields;
    if (fields.visible === false || drawing.tables?.layer?.layers[entity.layer]?.visible === false) continue;
    if (entity.type === "INSERT") insert(reading, fields, matrix, depth);
    else {
      const line = lineOf(entity.type, fields).map((point) => moved(matrix, point));
      lines.add(line);
      if (line.length > 1) note(reading, entity.layer, isEdge(entity.type, fields) ? line : null);
    }
  }
}

/** True if a chain is closed. */
function isEdge(type: string, { shape = false, vertices = [] }: Fields): boolean {
  return type === "LWPOLYLINE" && shape && vertices.length > 2;
}

/** Counts a line of a layer; `edge` is the line if it is closed. */
function note({ layers }: Reading, layer: unknown, edge: Line | null): void {
  const name = typeof layer === "string" ? layer : "";
  const count = (layers.get(name)?.count ?? 0) + 1;
  layers.set(name, { count, only: count === 1 ? edge : null });
}

function insert(reading: Reading, fields: Fields, matrix: Matrix, depth: number): void {
  reading.inserts += 1;
  if (reading.inserts > INSERTS_MAX) throw new PlanFault("too_many_lines");
  const blocks: Readonly<Record<string, { entities?: IEntity[]; position?: { x: number; y: number } }>> =
    reading.drawing.blocks ?? {};
  // A block may be called `constructor`.
  const block = Object.hasOwn(blocks, fields.name ?? "") ? blocks[fields.name ?? ""] : undefined;
  if (!block?.entities || depth >= DEPTH_MAX) return;
  const angle = ((fields.rotation ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [across, up] = [fields.xScale ?? 1, fields.yScale ?? 1];
  const placed: Matrix = [
    cos * across,
    sin * across,
    -sin * up,
    cos * up,
    fields.position?.x ?? 0,
    fields.position?.y ?? 0,
  ];
  const base: Matrix = [1, 0, 0, 1, -(block.position?.x ?? 0), -(block.position?.y ?? 0)];
  collect(reading, block.entities, times(times(matrix, placed), base), depth + 1);
}

function lineOf(type: string, fields: Fields): Line {
  switch (type) {
    case "LINE":
      return (fields.vertices ?? []).map(({ x, y }) => [x, y]);
    case "LWPOLYLINE":
    case "POLYLINE":
      return polyline(fields);
    case "CIRCLE":
      return arc(fields, 0, 2 * Math.PI);
    case "ARC": {
      const [from, to] = [fields.startAngle ?? 0, fields.endAngle ?? 0];
      return arc(fields, from, to > from ? to : to + 2 * Math.PI);
    }
    default:
      return [];
  }
}

function arc({ center, radius }: Fields, from: number, to: number): Line {
  if (!center || !radius) return [];
  const pieces = Math.max(2, Math.ceil((CIRCLE_POINTS * (to - from)) / (2 * Math.PI)));
  return Array.from({ length: pieces + 1 }, (_, at) => {
    const angle = from + ((to - from) * at) / pieces;
    return [center.x + radius * Math.cos(angle), center.y + radius * Math.sin(angle)];
  });
}

/** A chain whose pieces may be arcs: `bulge` is the tangent of a quarter of their angle. */
function polyline({ vertices = [], shape = false }: Fields): Line {
  const [first] = vertices;
  const chain = shape && first ? [...vertices, first] : vertices;
  return chain.flatMap(({ x, y }, at): Line => {
    const before = chain[at - 1];
    if (!before?.bulge) return [[x, y]];
    return bulged([before.x, before.y], [x, y], before.bulge);
  });
}

/** The points of an arc between two others, the last one with it. */
function bulged([ax, ay]: Line[0] & {}, [bx, by]: Line[0] & {}, bulge: number): Line {
  const angle = 4 * Math.atan(bulge);
  const offset = (1 - bulge * bulge) / (4 * bulge);
  const [cx, cy] = [(ax + bx) / 2 - offset * (by - ay), (ay + by) / 2 + offset * (bx - ax)];
  const [radius, start] = [Math.hypot(ax - cx, ay - cy), Math.atan2(ay - cy, ax - cx)];
  const pieces = Math.max(2, Math.ceil((CIRCLE_POINTS * Math.abs(angle)) / (2 * Math.PI)));
  return Array.from({ length: pieces }, (_, at) => {
    const turned = start + (angle * (at + 1)) / pieces;
    return [cx + radius * Math.cos(turned), cy + radius * Math.sin(turned)];
  });
}
