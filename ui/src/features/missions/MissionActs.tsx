import { useState } from "react";
import type { MissionDetail } from "../../bindings/MissionDetail";
import { Button } from "../../shared/components/Button";
import { HoldButton } from "../../shared/components/HoldButton";
import { Refusal } from "../../shared/components/Refusal";
import { TextField } from "../../shared/fields/TextField";
import { useAdminRefusal } from "../../shared/hooks/useAdminRefusal";
import { useCommandRefusal } from "../../shared/hooks/useCommandRefusal";
import { t } from "../../shared/i18n";
import { actsOf } from "./mission-state";
import styles from "./Missions.module.css";
import { useMissionActs } from "./useMissionActs";

/** What can be done where the mission stands, each with a reason. Cancelling is for good, so it is asked once (U-1010). */
export function MissionActs({ mission }: { mission: MissionDetail }) {
  const [reason, setReason] = useState("");
  const [cancelling, setCancelling] = useState(false);
  const operator = useCommandRefusal();
  const admin = useAdminRefusal();
  const { run, running, error, said } = useMissionActs(mission, reason.trim());
  const acts = actsOf(mission);
  if (acts.length === 0) return null;
  const closed = (name: string) => (name === "cancel_mission" ? admin : name === "activate_mission" && mission.hash === null ? t("missions.no_text") : operator);
  return (
    <div className={styles.acts}>
      <TextField label={t("missions.reason")} value={reason} problem={null} testId="mission-reason" onChange={setReason} />
      {acts.map((name, place) => (
        <Button
          key={name}
          look={place === 0 ? "strong" : "plain"}
          data-testid={name}
          aria-expanded={name === "cancel_mission" ? cancelling : undefined}
          title={closed(name) ?? undefined}
          disabled={closed(name) !== null || running !== null}
          onClick={() => (name === "cancel_mission" ? setCancelling(!cancelling) : run(name, () => setReason("")))}
        >
          {running === name ? t("hold.sending") : t(`mission_act.${name}`)}
        </Button>
      ))}
      <span className={styles.hint}>{operator ?? (acts.includes("cancel_mission") && admin !== null ? t("missions.cancel_needs") : "")}</span>
      {cancelling && acts.includes("cancel_mission") && (
        <HoldButton
          label={t("missions.cancel_for_good")}
          version={mission.id}
          needsHold={false}
          disabled={admin !== null}
          pending={running !== null}
          testId="mission-cancel-yes"
          onAct={() => run("cancel_mission", () => setCancelling(false))}
        />
      )}
      <div className={styles.wide}>
        <Refusal error={error} />
        {said !== null && (
          <p role="status" data-testid="mission-said">
            {said}
          </p>
        )}
      </div>
    </div>
  );
}
