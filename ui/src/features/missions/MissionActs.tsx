import { useState } from "react";
import type { MissionDetail } from "../../host/agent-wire";
import { Button } from "../../shared/components/Button";
import { HoldButton } from "../../shared/components/HoldButton";
import { Refusal } from "../../shared/components/Refusal";
import { TextField } from "../../shared/fields/TextField";
import { useAdminRefusal } from "../../shared/hooks/useAdminRefusal";
import { useCommandRefusal } from "../../shared/hooks/useCommandRefusal";
import { useOperation } from "../../shared/hooks/useOperation";
import { t } from "../../shared/i18n";
import { actsOf, type MissionAct } from "./mission-state";
import styles from "./Missions.module.css";

/** What can be done where the mission stands, each with a reason. Cancelling is for good, so it is asked once (U-1010). */
export function MissionActs({ mission }: { mission: MissionDetail }) {
  const { id, hash } = mission;
  const [reason, setReason] = useState("");
  const [said, setSaid] = useState<string | null>(null);
  const [cancelling, setCancelling] = useState(false);
  const operator = useCommandRefusal();
  const admin = useAdminRefusal();
  const calls = {
    activate_mission: useOperation("activate_mission"),
    pause_mission: useOperation("pause_mission"),
    resume_mission: useOperation("resume_mission"),
    cancel_mission: useOperation("cancel_mission"),
  };
  const why = reason.trim() === "" ? {} : { reason: reason.trim() };
  const answered = ({ message, still_moving = [] }: { message: string; still_moving?: string[] }) => {
    setCancelling(false);
    setReason("");
    setSaid(still_moving.length === 0 ? message : `${message} ${t("missions.still_moving", { robots: still_moving.join(", ") })}`);
  };
  const act = (name: MissionAct) => {
    for (const call of Object.values(calls)) call.forget();
    setSaid(null);
    if (name === "cancel_mission") setCancelling(!cancelling);
    else if (name === "activate_mission") calls.activate_mission.run({ mission_id: id, hash, ...why }, answered);
    else if (name === "resume_mission") calls.resume_mission.run({ mission_id: id }, answered);
    else calls.pause_mission.run({ mission_id: id, ...why }, answered);
  };
  const pending = Object.values(calls).some((call) => call.pending);
  const failed = Object.values(calls).find((call) => call.error !== null)?.error ?? null;
  const acts = actsOf(mission);
  if (acts.length === 0) return null;
  return (
    <div className={styles.acts}>
      <TextField label={t("missions.reason")} value={reason} problem={null} testId="mission-reason" onChange={setReason} />
      {acts.map((name, place) => (
        <Button
          key={name}
          look={place === 0 ? "strong" : "plain"}
          data-testid={name}
          aria-expanded={name === "cancel_mission" ? cancelling : undefined}
          title={(name === "cancel_mission" ? admin : operator) ?? undefined}
          disabled={(name === "cancel_mission" ? admin : operator) !== null || pending}
          onClick={() => act(name)}
        >
          {calls[name].pending ? t("hold.sending") : t(`mission_act.${name}`)}
        </Button>
      ))}
      <span className={styles.hint}>{operator ?? (acts.includes("cancel_mission") && admin !== null ? t("missions.cancel_needs") : "")}</span>
      {cancelling && acts.includes("cancel_mission") && (
        <HoldButton
          label={t("missions.cancel_for_good")}
          version={id}
          needsHold={false}
          disabled={admin !== null}
          pending={calls.cancel_mission.pending}
          testId="mission-cancel-yes"
          onAct={() => calls.cancel_mission.run({ mission_id: id, ...why }, answered)}
        />
      )}
      <div className={styles.wide}>
        <Refusal error={failed} />
        {said !== null && (
          <p role="status" data-testid="mission-said">
            {said}
          </p>
        )}
      </div>
    </div>
  );
}
