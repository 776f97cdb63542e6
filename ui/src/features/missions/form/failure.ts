// The answer to a goal that failed, as a form shows it.

import { fieldText, numberOrText } from "../../../design/fields/decimal";

export type Failure = {
  kind: "stop" | "alert" | "retry" | "spawn";
  times: string;
  delay_secs: string;
  mission: string;
};

const STOP: Failure = { kind: "stop", times: "2", delay_secs: "30", mission: "" };

/** The value of the key as its form; null if it is none that a form shows. Without the key the mission stops. */
export function failureOf(value: unknown): Failure | null {
  if (value === undefined || value === null || value === "stop") return STOP;
  if (value === "alert") return { ...STOP, kind: "alert" };
  if (typeof value !== "object") return null;
  const entries = new Map<string, unknown>(Object.entries(value));
  const spawn = entries.get("spawn");
  if (typeof spawn === "string" && entries.size === 1) return { ...STOP, kind: "spawn", mission: spawn };
  const retry = entries.get("retry");
  if (typeof retry !== "object" || retry === null || entries.size !== 1) return null;
  const parts = new Map<string, unknown>(Object.entries(retry));
  const part = (name: "times" | "delay_secs") => {
    const value: unknown = parts.get(name) ?? STOP[name];
    return typeof value === "number" ? fieldText(value) : String(value);
  };
  return { ...STOP, kind: "retry", times: part("times"), delay_secs: part("delay_secs") };
}

/** The value of the key. What is no number stays text, so that the station says so. */
export function valueOfFailure({ kind, times, delay_secs, mission }: Failure): unknown {
  if (kind === "retry") return { retry: { times: numberOrText(times), delay_secs: numberOrText(delay_secs) } };
  return kind === "spawn" ? { spawn: mission } : kind;
}
