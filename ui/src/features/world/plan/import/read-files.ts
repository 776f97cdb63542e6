// Reads the files of one import, by the ends of their names.

import type { SitePlan } from "../../../../generated/bindings/SitePlan";
import { joined } from "./joined";
import { type Drawing, FILE_BYTES_MAX, PlanFault, type PlanFile } from "./plan-file";
import { fitted } from "./simplify";

/** A file with its bytes. */
export type Bytes = { name: string; bytes: Uint8Array };

/** A whole plan, or the lines of a drawing. */
export type Found = { plan: SitePlan } | { file: PlanFile };

/** The plan in some files. `onPart` hears how far it is, from 0 to 1. */
export async function readFiles(files: readonly Bytes[], onPart: (part: number) => void): Promise<Found> {
  if (files.some(({ bytes }) => bytes.length > FILE_BYTES_MAX)) throw new PlanFault("too_large");
  const of = (...ends: string[]) => files.find(({ name }) => ends.includes(endOf(name)));
  const json = of("json");
  if (json) return { plan: (await import("./json")).readJson(text(json)) };
  const drawing = await drawn(of, onPart);
  if (drawing.lines.length === 0) throw new PlanFault("no_lines");
  // Outlines of a map are whole, and as fine as its cells already.
  if (drawing.kind === "ros_map") return { file: { ...drawing, ...fitted(drawing.lines, 0) } };
  return { file: { ...drawing, ...fitted(joined(drawing.lines), null, pointsOf(drawing)) } };
}

async function drawn(of: (...ends: string[]) => Bytes | undefined, onPart: (part: number) => void): Promise<Drawing> {
  const [svg, dxf, yaml, pgm] = [of("svg"), of("dxf"), of("yaml", "yml"), of("pgm")];
  if (svg) return (await import("./svg")).readSvg(text(svg), onPart);
  if (dxf) return (await import("./dxf")).readDxf(text(dxf));
  if (yaml && pgm) return (await import("./ros-map")).readRosMap(text(yaml), pgm.bytes, onPart);
  if (yaml) throw new PlanFault("image_needed");
  throw new PlanFault(pgm ? "yaml_needed" : "unknown_kind");
}

/** Points that its areas take from those of its lines. */
function pointsOf({ areas }: Drawing): number {
  return areas.reduce((sum, { corners }) => sum + corners.length, 0);
}

function text({ bytes }: Bytes): string {
  return new TextDecoder().decode(bytes);
}

/** The end of a name, in small letters and without its dot. */
export function endOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}
