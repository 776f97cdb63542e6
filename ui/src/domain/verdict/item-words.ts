// Decisions of the safety engine as sentences in the window's language: composed of the codes and numbers of a verdict,
// with the numbers rounded so that they add up. In English the station's own sentences stand.

import type { ItemRow } from "../../generated/bindings/ItemRow";
import type { Reason } from "../../generated/bindings/Reason";
import type { Verdict } from "../../generated/bindings/Verdict";
import type { VerdictItem } from "../../generated/bindings/VerdictItem";
import { digitsFor, formatQuantity } from "../../design/format/numbers";
import { formatAge } from "../../design/format/time";
import { type Said, hasStationWords, stationText } from "../../locales/station-words";
import { limitName, unitText } from "./verdict-words";

/** The holder of a robot that nobody has control of. */
const NOBODY = "nobody";
/** More decimals tell nobody anything. */
const DIGITS_MAX = 6;

/** The sentence of one limit. */
export function itemSaid({ item, sentence }: ItemRow): Said {
  const text = clauseOf(item);
  if (text === null) return { text: sentence, more: null };
  return { text: `${text}.`, more: saysMore(item) ? sentence : null };
}

/** The sentence of a whole verdict: the decision and every violation that is listed, the first one first. */
export function verdictSaid(sentence: string, verdict: Verdict, rows: readonly ItemRow[]): Said {
  const own = { text: sentence, more: null };
  if (!hasStationWords()) return own;
  if (verdict.overall === "allow") {
    return { text: stationText("verdict", rows.length === 0 ? "no_limit" : "allowed") ?? sentence, more: null };
  }
  const denied = rows.filter(({ item }) => item.verdict !== "allow").map(({ item }) => item);
  const clauses = [...new Set(denied.map(clauseOf))];
  const [first = null, ...others] = clauses;
  const text = first === null ? null : stationText("verdict", "denied", { first });
  if (text === null || others.includes(null)) return own;
  const unlisted = verdict.violations_total > denied.length ? [stationText("verdict", "more") ?? ""] : [];
  return {
    text: [text, ...others.map((clause) => `${clause}.`), ...unlisted].join(" "),
    more: denied.some(saysMore) ? sentence : null,
  };
}

/** True if the station's sentence names what a code does not: the field that is wrong, or what has to be done. */
function saysMore({ verdict, reason: { args } }: VerdictItem): boolean {
  return verdict !== "allow" && (args.field !== undefined || args.expected !== undefined);
}

/** The sentence of a limit, without its full stop; null where this language has no words for it. */
function clauseOf(item: VerdictItem): string | null {
  if (item.verdict === "allow") return allowedClause(item);
  if (item.verdict !== "deny") return stationText("verdict", item.verdict.validator_error);
  const given = figuresOf(item);
  const { code } = item.reason;
  const variant = VARIANTS[code]?.(item) ?? code;
  return stationText("reason", variant, given) ?? stationText("reason", code, given);
}

function allowedClause(item: VerdictItem): string | null {
  if (item.kind === "precondition") return stationText("verdict", "condition");
  if (item.predicted === null) return stationText("verdict", "unconcerned");
  const unit = unitText(item.unit);
  return stationText("verdict", "margin", { by: formatQuantity(item.margin, digitsFor(unit), unit) });
}

/** Sentences for a case of a reason. One whose places cannot be filled is passed over for that of the code alone. */
const VARIANTS: Partial<Record<Reason, (item: VerdictItem) => string>> = {
  workspace: ({ margin, reason: { args } }) => {
    const share = args.inflation_m ?? 0;
    if (share === 0) return "workspace";
    return -(margin ?? 0) > share ? "workspace_share" : "workspace_near";
  },
  forbidden_zone: ({ predicted, limit }) =>
    (predicted ?? 0) > (limit ?? 0) ? "forbidden_zone_near" : "forbidden_zone",
  keep_out: ({ predicted }) => ((predicted ?? 0) > 0 ? "keep_out" : "keep_out_into"),
  velocity: ({ limit, kind }) =>
    limit === 0 ? "velocity_zero" : kind === "angular_velocity" ? "velocity_angular" : "velocity",
  acceleration: ({ predicted }) => (predicted === null ? "acceleration_sudden" : "acceleration"),
  expired: () => "expired_aged",
  no_fresh_pose: () => "no_fresh_pose_aged",
  stale_transform: () => "stale_transform_named",
  frame_mismatch: () => "frame_mismatch_named",
  lease: () => "lease_owned",
  arbitration: ({ reason: { args } }) => (args.owner === NOBODY ? "arbitration_free" : "arbitration_owned"),
  not_provable: () => "not_provable_step",
};

/** Everything that a sentence may name. What is not known is left out. */
function figuresOf(item: VerdictItem): Record<string, string> {
  const { kind, limit, predicted, margin, constraint, reason } = item;
  const { args } = reason;
  const unit = unitText(item.unit);
  const share = args.inflation_m ?? 0;
  const digits = digitsApart(predicted, limit, digitsFor(unit));
  const round = (value: number) => Number(value.toFixed(digits));
  const said = (value: number | null) => (value === null ? "" : formatQuantity(round(value), digits, unit));
  const beyond = predicted === null || limit === null ? null : Math.abs(round(predicted) - round(limit)) + round(share);
  // A zone is passed at a distance from its edge; in a box it is what is left up to its face.
  const passed = reason.code === "forbidden_zone" && predicted !== null && limit !== null ? predicted - limit : null;
  return {
    name: [limitName(kind), constraint ?? ""].filter((part) => part !== "").join(" "),
    place: [limitName(kind), args.axis ?? ""].filter((part) => part !== "").join(" "),
    asked: said(predicted),
    limit: said(limit),
    by: said(beyond),
    share: said(share),
    distance: said(passed ?? (margin === null ? null : share + margin)),
    depth: said(predicted === null ? null : Math.abs(predicted)),
    age: args.age_ms === undefined ? "" : formatAge(args.age_ms),
    age_max: args.age_ms_max === undefined ? "" : formatAge(args.age_ms_max),
    owner: args.owner ?? "",
    joint: args.joint ?? "",
    frame: args.frame ?? "",
    speed: args.speed_mps === undefined ? "" : formatQuantity(args.speed_mps, 2, "m/s"),
    step: args.step_m_max === undefined ? "" : formatQuantity(args.step_m_max, 2, "m"),
  };
}

/** As many decimals as it takes to tell two numbers apart. */
function digitsApart(one: number | null, other: number | null, fewest: number): number {
  if (one === null || other === null || one === other) return fewest;
  let digits = fewest;
  while (digits < DIGITS_MAX && one.toFixed(digits) === other.toFixed(digits)) digits += 1;
  return digits;
}
