import { useState } from "react";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { Button } from "../../design/components/Button";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { t } from "../../locales/i18n";
import { actsOf, type FinalAct, isFinal } from "./mission-state";
import styles from "./Missions.module.css";
import { useMissionActs } from "./useMissionActs";

/**
 * Actions on a mission in its state, each with a reason. An action that ends it is for good, so it is asked once
 * (U-1010).
 */
export function MissionActs({ mission }: { mission: MissionDetail }) {
  const [reason, setReason] = useState("");
  const [ending, setEnding] = useState<FinalAct | null>(null);
  const operator = useCommandRefusal();
  const admin = useAdminRefusal();
  const { run, running, error, said } = useMissionActs(mission, reason.trim());
  const acts = actsOf(mission);
  if (acts.length === 0) return null;
  const closed = (name: string) =>
    name === "cancel_mission"
      ? admin
      : name === "activate_mission" && mission.hash === null
        ? t("missions.no_text")
        : operator;
  return (
    <div className={styles.acts}>
      <TextField
        label={t("missions.reason")}
        value={reason}
        problem={null}
        testId="mission-reason"
        onChange={setReason}
      />
      {acts.map((name, place) => (
        <Button
          key={name}
          look={place === 0 ? "primary" : "plain"}
          data-testid={name}
          aria-expanded={isFinal(name) ? ending === name : undefined}
          title={closed(name) ?? undefined}
          disabled={closed(name) !== null || running !== null}
          onClick={() => (isFinal(name) ? setEnding(ending === name ? null : name) : run(name, () => setReason("")))}
        >
          {running === name ? t("hold.sending") : t(`mission_act.${name}`)}
        </Button>
      ))}
      <span className={styles.hint}>
        {operator ?? (acts.includes("cancel_mission") && admin !== null ? t("missions.cancel_needs") : "")}
      </span>
      {ending !== null && acts.includes(ending) && (
        <HoldButton
          label={t(`missions.${ending}_for_good`)}
          version={`${mission.id} ${ending}`}
          needsHold={false}
          disabled={closed(ending) !== null}
          pending={running !== null}
          testId="mission-end-yes"
          onAct={() => run(ending, () => setEnding(null))}
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
