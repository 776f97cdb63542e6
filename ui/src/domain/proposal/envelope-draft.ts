// The bounds a standing approval begins with: around the motion on the card, and hardly more.

import type { Envelope } from "../../generated/bindings/Envelope";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { NumberSpec } from "../../design/fields/NumberField";
import { t } from "../../locales/i18n";

/** Room around the shown way, so that the next motion of its kind fits, metres. */
const ROOM_M = 0.05;
/** First values of the form, enough for most repeated jobs; the station allows at most 100 uses and 8 h. */
const COUNT_FIRST = 10;
const HOURS_FIRST = 1;

const AXES = ["x", "y", "z"] as const;

/** One number of a grant. */
export type GrantField = NumberSpec & { path: string; first: number };

/** Subject of a standing approval, and the fields of its numbers. */
export type GrantDraft = {
  robot: string;
  actuator: string;
  frame: string;
  mission: string | null;
  fields: GrantField[];
};

/** The input of `grant_standing_approval`. */
export type Grant = {
  robot: string;
  mission_id?: string;
  operation: "send_command";
  envelope: Envelope;
  count: number;
  hours: number;
};

/**
 * A draft for a card that a standing approval could cover; null for any other. Whether it may be granted, the station
 * says.
 */
export function grantDraftOf({ tier, operation, robot, input, preview, mission }: Proposal): GrantDraft | null {
  // No standing approval covers the high tier; without a predicted way there are no bounds to begin with.
  if (tier === "high" || operation !== "send_command" || robot === null || !preview) return null;
  const actuator = textAt(input, "actuator");
  const speed_mps = speedOf(input);
  if (actuator === null || speed_mps === null) return null;
  const box = AXES.flatMap((axis, index) => {
    const points = [preview.from, ...preview.path, preview.to].map((point) => point[index] ?? Number.NaN);
    const metres = { unit: "m", step: ROOM_M };
    return [
      { path: `${axis}[0]`, label: t("field.min", { axis }), ...metres, first: rounded(Math.min(...points) - ROOM_M) },
      { path: `${axis}[1]`, label: t("field.max", { axis }), ...metres, first: rounded(Math.max(...points) + ROOM_M) },
    ];
  });
  const force_n = numberAt(input, "force_n");
  const fields: GrantField[] = [
    ...box,
    { path: "speed", label: t("field.speed"), unit: "m/s", step: 0.05, first: speed_mps },
    ...(force_n === null ? [] : [{ path: "force", label: t("field.force"), unit: "N", step: 1, first: force_n }]),
    { path: "count", label: t("standing.count"), unit: "", step: 1, first: COUNT_FIRST },
    { path: "hours", label: t("standing.hours"), unit: "h", step: 0.5, first: HOURS_FIRST },
  ];
  return { robot, actuator, frame: preview.frame, mission, fields };
}

/** The grant with these numbers, by the paths of its fields. */
export function grantOf({ robot, actuator, frame, mission }: GrantDraft, numbers: ReadonlyMap<string, number>): Grant {
  const at = (path: string) => numbers.get(path) ?? Number.NaN;
  const span = (axis: string): [number, number] => [at(`${axis}[0]`), at(`${axis}[1]`)];
  const force_n_max = numbers.get("force");
  return {
    robot,
    ...(mission === null ? {} : { mission_id: mission }),
    operation: "send_command",
    envelope: {
      actuator,
      workspace: { x: span("x"), y: span("y"), z: span("z") },
      frame,
      speed_mps_max: at("speed"),
      ...(force_n_max === undefined ? {} : { force_n_max }),
    },
    count: at("count"),
    hours: at("hours"),
  };
}

function speedOf(input: unknown): number | null {
  const motion = valueAt(input, "motion");
  return typeof motion === "object" && motion !== null ? numberAt(Object.values(motion)[0], "speed_mps") : null;
}

function valueAt(input: unknown, key: string): unknown {
  return typeof input === "object" && input !== null ? Reflect.get(input, key) : undefined;
}

function textAt(input: unknown, key: string): string | null {
  const value = valueAt(input, key);
  return typeof value === "string" ? value : null;
}

function numberAt(input: unknown, key: string): number | null {
  const value = valueAt(input, key);
  return typeof value === "number" ? value : null;
}

/** Centimetres are fine enough for a bound that is only a beginning. */
function rounded(metres: number): number {
  return Number(metres.toFixed(2));
}
