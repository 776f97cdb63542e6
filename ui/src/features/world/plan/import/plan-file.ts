// A floor plan as it was read from a file: lines in the file's own unit, and why one could not be read.

import type { PlanPoint } from "../../../../domain/scene/flat/scene-plan";

/** The largest file that is read, bytes. */
export const FILE_BYTES_MAX = 20_000_000;
/** Bounds that the station keeps, too. */
export const WALLS_MAX = 2_000;
export const POINTS_MAX = 20_000;
/** More points than this are given up before they are simplified. */
export const RAW_POINTS_MAX = 2_000_000;

/** A chain of points in the unit of its file, y upwards. */
export type Line = PlanPoint[];

/** Lines of a drawing. */
export type Drawing = {
  kind: "ros_map" | "svg" | "dxf";
  lines: Line[];
  /** Closed lines that the file gives a name; they are among the lines, too. */
  areas: { name: string; corners: Line }[];
  /** Metres of one unit of the file, if the file says so. */
  metres_per_unit: number | null;
  /** False if the file says where it lies, so that nobody has to place it. */
  placed: boolean;
};

/** A drawing with no more lines and points than a plan may have. `dropped` counts lines that were too small. */
export type PlanFile = Drawing & { dropped: number };

/** Reasons for which a file cannot be read; each has a sentence that says what to do. */
export type FaultCode =
  | "bad_dxf"
  | "bad_json"
  | "bad_map"
  | "bad_resolution"
  | "bad_svg"
  | "image_needed"
  | "no_lines"
  | "no_map"
  | "not_pgm"
  | "other_frame"
  | "pgm_cut_off"
  | "too_large"
  | "too_many_lines"
  | "unknown_kind"
  | "unreadable"
  | "yaml_needed";

/** The refusal of a file. */
export class PlanFault extends Error {
  readonly code: FaultCode;
  readonly detail: string;

  constructor(code: FaultCode, detail = "") {
    super(code);
    this.name = "PlanFault";
    this.code = code;
    this.detail = detail;
  }
}

/** Counts points while they are collected, so that no file fills the memory. */
export class Lines {
  readonly all: Line[] = [];
  #points = 0;

  /** Adds a chain; one point is no line, and a number that is none makes the chain unusable. */
  add(line: Line): void {
    if (line.length < 2 || !line.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))) return;
    this.#points += line.length;
    if (this.#points > RAW_POINTS_MAX) throw new PlanFault("too_many_lines");
    this.all.push(line);
  }
}
