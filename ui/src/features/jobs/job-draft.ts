// A job while somebody fills it in: text in, what the station is asked for out. The station checks and says what is
// wrong.

import type { Input } from "../../host/operations";

type TaskInput = Input<"schedule_task">;
import type { Missed } from "../../generated/bindings/Missed";
import { parseDecimal } from "../../design/fields/decimal";

/** Every field as text, so that what is half written stays. */
export type JobDraft = {
  name: string;
  action: "prompt" | "operation";
  prompt: string;
  operation: string;
  input: string;
  time: "cron_schedule" | "at" | "every_secs";
  cron_schedule: string;
  at: string;
  every: string;
  unit: "minutes" | "hours" | "days";
  time_zone: string;
  missed: Missed;
};

const UNIT_SECS = { minutes: 60, hours: 3_600, days: 86_400 } as const;

/** Initial draft: every morning. */
export const FIRST_DRAFT: JobDraft = {
  name: "",
  action: "prompt",
  prompt: "",
  operation: "",
  input: "",
  time: "cron_schedule",
  cron_schedule: "0 7 * * *",
  at: "",
  every: "15",
  unit: "minutes",
  time_zone: "",
  missed: "once",
};

/** The task that a draft asks for, or the field that cannot be sent as it is. */
export type Asked = { task: TaskInput } | { path: "input" | "every_secs" };

/** Only what was written is sent; the rest has the station's defaults. */
export function taskOf(draft: JobDraft): Asked {
  const given = timeOf(draft);
  if (given === null) return { path: "every_secs" };
  const input = draft.action === "operation" && draft.input.trim() !== "" ? parsed(draft.input) : { value: undefined };
  if (input === null) return { path: "input" };
  return {
    task: {
      ...(draft.action === "prompt" ? { prompt: draft.prompt } : { operation: draft.operation.trim() }),
      ...(input.value === undefined ? {} : { input: input.value }),
      ...given,
      ...written("name", draft.name),
      ...written("time_zone", draft.time_zone),
      missed: draft.missed,
    },
  };
}

/** Input of a preview: about the time only, except that operations may run more often than turns. */
export function previewOf(draft: JobDraft): TaskInput | null {
  const given = timeOf(draft);
  // A field that is still empty is not wrong yet.
  if (given === null || Object.values(given).includes("")) return null;
  return {
    ...given,
    ...written("time_zone", draft.time_zone),
    ...(draft.action === "operation" ? { operation: draft.operation.trim() } : {}),
  };
}

function timeOf({ time, cron_schedule, at, every, unit }: JobDraft): TaskInput | null {
  switch (time) {
    case "cron_schedule":
      return { cron_schedule: cron_schedule.trim() };
    case "at":
      return { at: at.trim() };
    case "every_secs": {
      const count = parseDecimal(every);
      // The station counts whole seconds.
      return "value" in count ? { every_secs: Math.round(count.value * UNIT_SECS[unit]) } : null;
    }
  }
}

function written(name: "name" | "time_zone", text: string): TaskInput {
  return text.trim() === "" ? {} : { [name]: text.trim() };
}

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // No JSON: the form says so at the field.
    return null;
  }
}
