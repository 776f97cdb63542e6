// The entries that the lists of a mission file may have, each with its parts, and what a new one begins as.

import { t } from "../../../locales/i18n";

/** The lists of a file that a form shows entry by entry. */
export type ListKey =
  | "goals"
  | "triggers"
  | "preconditions"
  | "constraints"
  | "resources"
  | "providers"
  | "alerts"
  | "schedule"
  | "envelope";

/** A part of an entry. `code` is a text that a machine reads; the first option of a choice is the station's default. */
export type Part = {
  name: string;
  is: "text" | "code" | "number" | "json" | "choice";
  optional?: boolean;
  /** The value that the station takes where none is given. */
  unset?: string;
  /** A value that could stand there. */
  example?: string;
  options?: readonly string[];
};

/** A kind of entry. `bare` is written as its only part, not as a mapping. */
export type Kind = {
  kind: string;
  parts: readonly Part[];
  bare?: boolean;
  word?: string;
  /** The part that an entry consists of where it is written as text and not as a mapping. */
  short?: string;
  /** Parts of a new entry, besides those that each one has. */
  starts?: Readonly<Record<string, unknown>>;
};

/** The lists whose entries have so many parts that each needs its label. */
export const LABELLED: ReadonlySet<ListKey> = new Set(["resources", "providers", "alerts", "schedule", "envelope"]);

const text = (name: string, optional = false): Part => ({ name, is: "text", optional });
const number = (name: string, optional = false): Part => ({ name, is: "number", optional });
const json = (name: string): Part => ({ name, is: "json" });
const code = (name: string): Part => ({ name, is: "code" });
const maybe = (name: string, is: Part["is"], more: Pick<Part, "unset" | "example"> = {}): Part => ({
  name,
  is,
  optional: true,
  ...more,
});

/** One of these three says when a job is due. */
const DUE = [
  maybe("cron_schedule", "code", { example: "0 8 * * *" }),
  maybe("every_secs", "number", { example: "3600" }),
  maybe("at", "code", { example: "2030-01-01T08:00:00" }),
];

/** The kinds of entries of each list; the first is that of a new one. */
export const KINDS: Record<ListKey, readonly Kind[]> = {
  goals: [
    { kind: "sentence", parts: [text("goal")], bare: true },
    { kind: "sentence_until", parts: [text("goal"), text("done_when")] },
    { kind: "wait_secs", parts: [number("wait_secs")] },
    { kind: "wait_for", parts: [text("wait_for"), number("timeout_secs", true)] },
    { kind: "step", parts: [text("name", true), text("operation"), json("input"), number("timeout_secs", true)] },
  ],
  triggers: [
    { kind: "immediate", parts: [], word: "immediate" },
    { kind: "cron", parts: [text("cron")] },
    { kind: "at", parts: [text("at")] },
    { kind: "when", parts: [text("when")] },
    { kind: "spawn", parts: [], word: "spawn" },
  ],
  preconditions: [
    { kind: "rule", parts: [text("rule")], bare: true },
    { kind: "sentence", parts: [text("text")] },
  ],
  constraints: [{ kind: "limit", parts: [text("type"), json("params"), text("robot", true), text("reason", true)] }],
  resources: [
    {
      kind: "part",
      parts: [code("path"), { name: "hold", is: "choice", optional: true, options: ["run", "command"] }],
      short: "path",
    },
  ],
  providers: [
    {
      kind: "provider",
      parts: [
        code("topic_pattern"),
        code("world_state_key_template"),
        code("value_field"),
        maybe("filter", "code", { example: "label=person AND confidence>0.8" }),
        maybe("unit", "text", { example: "degC" }),
        maybe("max_age_secs", "number", { unset: "30" }),
        maybe("min_interval_secs", "number", { unset: "0" }),
        maybe("confidence_field", "code", { example: "confidence" }),
        maybe("confidence_default", "number"),
        maybe("closed_sets", "json", { example: '{"status": ["open", "closed"]}' }),
      ],
    },
  ],
  alerts: [
    {
      kind: "alert",
      parts: [
        code("predicate"),
        text("description", true),
        maybe("debounce_secs", "number", { unset: "60" }),
        maybe("arousal_boost", "number", { unset: "2" }),
        maybe("alarm", "json"),
      ],
    },
  ],
  schedule: [
    {
      kind: "prompt",
      parts: [text("name", true), text("prompt"), ...DUE],
      starts: { cron_schedule: "0 8 * * *" },
    },
    {
      kind: "operation",
      parts: [text("name", true), code("operation"), maybe("input", "json", { unset: "{}" }), ...DUE],
      starts: { operation: "list_robots", cron_schedule: "0 8 * * *" },
    },
  ],
  envelope: [
    {
      kind: "envelope",
      parts: [
        code("robot"),
        code("actuator"),
        code("operation"),
        number("speed_mps_max"),
        maybe("force_n_max", "number"),
        number("count"),
        number("hours"),
        maybe("region", "json", { example: '{"x": [-1, 1], "y": [-1, 1], "z": [0, 1]}' }),
        maybe("frame", "code", { example: "map" }),
      ],
    },
  ],
};

/** The value of a new entry of a kind; `given` are parts that fit the mission better than those that fit any. */
export function emptyOf(list: ListKey, name: string, given: Readonly<Record<string, unknown>> = {}): unknown {
  const kind = KINDS[list].find((one) => one.kind === name);
  if (kind === undefined || kind.word !== undefined) return kind?.word;
  const values: Record<string, unknown> = { ...newParts(), ...given, ...kind.starts };
  const only = kind.bare === true ? kind.parts[0]?.name : kind.short;
  if (only !== undefined) return values[only];
  const starts = kind.starts ?? {};
  const parts = kind.parts.filter((part) => part.optional !== true || part.name in starts);
  return Object.fromEntries(parts.map((part) => [part.name, values[part.name]]));
}

/** Parts of new entries: valid wherever a valid one can be made without asking. */
function newParts(): Readonly<Record<string, unknown>> {
  return {
    goal: t("mission_form.new_goal"),
    done_when: "key = 1",
    wait_secs: 60,
    wait_for: "key = 1",
    operation: "send_command",
    input: {},
    cron: "0 8 * * *",
    at: "2030-01-01T08:00:00",
    when: "key = 1",
    rule: "key > 0",
    text: t("mission_form.new_sentence"),
    type: "max_velocity",
    params: 0.5,
    path: "robot/part",
    topic_pattern: "lab/robot/out/state/battery",
    world_state_key_template: "robot.battery",
    value_field: "percent",
    predicate: "key = 1",
    prompt: t("mission_form.new_prompt"),
    robot: "robot",
    actuator: "part",
    // Slow, once and for one hour: whoever wants more says so.
    speed_mps_max: 0.1,
    count: 1,
    hours: 1,
  };
}
