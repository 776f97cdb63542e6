// Actions of a person on a mission, and the station's answers.

import { useState } from "react";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import type { HostError } from "../../host/host";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { stationText } from "../../locales/station-words";
import { isFinal, type MissionAct } from "./mission-state";

/** `running` is the act that has no answer yet; `said` is the station's last answer. */
export type MissionActsCall = {
  run: (act: MissionAct, onDone: () => void, activation?: Activation) => void;
  running: MissionAct | null;
  error: HostError | null;
  said: string | null;
  /** Drops a refusal and an answer that are about something else by now. */
  forget: () => void;
};

/** A warning that a person has accepted, as the station names it. */
export type Accepted = Pick<MissionProblem, "code" | "line">;

/** Content of an activation besides its text. */
export type Activation = {
  accept: readonly Accepted[];
  reason: string;
  /** Standing approvals that are granted with it, by their numbers. */
  grant: readonly number[];
  /** The dry run that the person saw. */
  dryRun: string | null;
};

/** The station's word for an act that went as it was meant. Where it says anything else, its own sentence stands. */
const PLAIN = {
  activate_mission: "activated",
  pause_mission: "paused",
  resume_mission: "resumed",
  cancel_mission: "cancelled",
  complete_mission: "completed",
} as const;

/** One act at a time. An activation names the text that was on the screen. */
export function useMissionActs({ id, hash }: MissionDetail, reason: string): MissionActsCall {
  const [newest, setNewest] = useState<MissionAct | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const activate = useOperation("activate_mission");
  const pause = useOperation("pause_mission");
  const resume = useOperation("resume_mission");
  const cancel = useOperation("cancel_mission");
  const complete = useOperation("complete_mission");
  const calls = [activate, pause, resume, cancel, complete];
  const forget = () => {
    for (const call of calls) call.forget();
    setSaid(null);
  };
  const run = (act: MissionAct, onDone: () => void, activation?: Activation) => {
    forget();
    setNewest(act);
    const of = { mission_id: id, ...(reason === "" ? {} : { reason }) };
    const answered = ({ message, still_moving = [] }: { message: string; still_moving?: string[] }) => {
      const name = operationOf(act);
      const isPlain = message === `Mission ${id} ${PLAIN[name]}`;
      const text = (isPlain ? stationText("mission_said", name, { mission: id }) : null) ?? message;
      const moving =
        still_moving.length === 0 ? "" : ` ${t("missions.still_moving", { robots: still_moving.join(", ") })}`;
      setSaid(`${text}${moving}`);
      onDone();
    };
    switch (act) {
      case "activate_mission":
        // The dialog keeps its button disabled in this case.
        return hash === null || activation === undefined
          ? undefined
          : activate.run(activationOf(id, hash, activation), answered);
      case "pause_mission":
        return pause.run(of, answered);
      case "cancel_mission":
        return cancel.run(of, answered);
      case "complete_mission":
        return complete.run(of, answered);
      case "resume_mission":
        return resume.run({ mission_id: id }, answered);
      case "start":
      case "check_again":
      case "repeat_step":
      case "step_done":
      case "step_failed":
      case "continue":
        return resume.run({ mission_id: id, answer: act }, answered);
    }
  };
  const running = calls.some((call) => call.pending) ? newest : null;
  return { run, running, error: calls.find((call) => call.error !== null)?.error ?? null, said, forget };
}

/** The operation of an act: what a mission asks is answered by resuming it. */
function operationOf(act: MissionAct): keyof typeof PLAIN {
  return isFinal(act) || act === "activate_mission" || act === "pause_mission" ? act : "resume_mission";
}

function activationOf(mission_id: string, hash: string, { accept, reason, grant, dryRun }: Activation) {
  return {
    mission_id,
    hash,
    ...(accept.length === 0 ? {} : { accept: [...accept] }),
    ...(grant.length === 0 ? {} : { grant: [...grant] }),
    ...(reason === "" ? {} : { reason }),
    ...(dryRun === null ? {} : { dry_run_id: dryRun }),
  };
}
