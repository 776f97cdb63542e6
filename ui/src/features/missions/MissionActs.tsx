import { useState } from "react";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import { Button } from "../../design/components/Button";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import type { HostError } from "../../host/host";
import { t } from "../../locales/i18n";
import { ActivationDialog } from "./ActivationDialog";
import { actsOf, type FinalAct, isFinal, type MissionAct } from "./mission-state";
import styles from "./Missions.module.css";
import { useMissionActs } from "./useMissionActs";

/**
 * Actions on a mission in its state, each with a reason. An action that ends it is for good, so it is asked once
 * (U-1010).
 */
export function MissionActs({ mission }: { mission: MissionDetail }) {
  const [reason, setReason] = useState("");
  const [ending, setEnding] = useState<FinalAct | null>(null);
  const [activating, setActivating] = useState(false);
  const operator = useCommandRefusal();
  const admin = useAdminRefusal();
  const { run, running, error, said, forget } = useMissionActs(mission, reason.trim());
  const acts = actsOf(mission);
  if (acts.length === 0) return null;
  const closed = (name: MissionAct) =>
    name === "cancel_mission" ? admin : name === "activate_mission" ? (textProblem(mission) ?? operator) : operator;
  const press = (name: MissionAct) => {
    if (name === "activate_mission") {
      // The refusal of another act would read as one of the activation.
      forget();
      setActivating(true);
    } else if (isFinal(name)) setEnding(ending === name ? null : name);
    // A resumption or an answer takes no reason: it is still to be given.
    else run(name, () => name === "pause_mission" && setReason(""));
  };
  const ended = () => {
    setEnding(null);
    // Given for this one: the next act would be recorded with it.
    setReason("");
  };
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
          onClick={() => press(name)}
        >
          {running === name ? t("hold.sending") : t(`mission_act.${name}`)}
        </Button>
      ))}
      <span className={styles.hint}>
        {operator ?? (acts.includes("cancel_mission") && admin !== null ? t("missions.cancel_needs") : "")}
      </span>
      {ending !== null && acts.includes(ending) && (
        <ForGood
          id={mission.id}
          act={ending}
          disabled={closed(ending) !== null}
          pending={running !== null}
          onAct={() => run(ending, ended)}
        />
      )}
      {activating && (
        <ActivationDialog
          mission={mission}
          textProblem={textProblem(mission)}
          pending={running !== null}
          error={error}
          onClose={() => setActivating(false)}
          onActivate={(activation) => run("activate_mission", () => setActivating(false), activation)}
        />
      )}
      <Answer error={activating ? null : error} said={said} />
    </div>
  );
}

type ForGoodProps = { id: string; act: FinalAct; disabled: boolean; pending: boolean; onAct: () => void };

/** The question before an act that nothing takes back. */
function ForGood({ id, act, ...button }: ForGoodProps) {
  return (
    <HoldButton
      {...button}
      label={t(`missions.${act}_for_good`)}
      version={`${id} ${act}`}
      needsHold={false}
      testId="mission-end-yes"
    />
  );
}

/** The sentence that says why no text of the file can be activated; null if one can. */
function textProblem({ hash, problems }: MissionDetail): string | null {
  if (hash === null) return t("missions.no_text");
  return problems.some(({ severity }) => severity === "error") ? t("missions.has_errors") : null;
}

/** The station's answer to the last act. */
function Answer({ error, said }: { error: HostError | null; said: string | null }) {
  return (
    <div className={styles.wide}>
      <Refusal error={error} />
      {said !== null && (
        <p role="status" data-testid="mission-said">
          {said}
        </p>
      )}
    </div>
  );
}
