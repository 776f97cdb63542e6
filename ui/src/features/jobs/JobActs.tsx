import { useState } from "react";
import type { JobRow } from "../../generated/bindings/JobRow";
import { Button } from "../../design/components/Button";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./JobDetailPanel.module.css";
import { actsOf, type JobAct } from "./job-state";

/** Actions on a job in its state. Cancelling is for good, so it is asked twice. */
export function JobActs({ job }: { job: JobRow }) {
  const refusal = useCommandRefusal();
  const [cancelling, setCancelling] = useState(false);
  const calls = {
    run_job: useOperation("run_job"),
    pause_job: useOperation("pause_job"),
    resume_job: useOperation("resume_job"),
    retry_job: useOperation("retry_job"),
    cancel_job: useOperation("cancel_job"),
  };
  const acts = actsOf(job.state);
  const pending = Object.values(calls).some((call) => call.pending);
  const failed = Object.values(calls).find((call) => call.error !== null)?.error ?? null;
  const act = (name: JobAct) => {
    for (const call of Object.values(calls)) call.forget();
    if (name === "cancel_job") setCancelling(!cancelling);
    else calls[name].run({ id: job.id });
  };
  if (acts.length === 0) return null;
  return (
    <div className={styles.acts}>
      {acts.map((name, place) => (
        <Button
          key={name}
          look={place === 0 ? "primary" : "plain"}
          data-testid={name}
          aria-expanded={name === "cancel_job" ? cancelling : undefined}
          disabled={refusal !== null || pending}
          onClick={() => act(name)}
        >
          {calls[name].pending ? t("hold.sending") : t(`job_act.${name}`)}
        </Button>
      ))}
      {refusal !== null && <span className={styles.muted}>{refusal}</span>}
      {cancelling && acts.includes("cancel_job") && (
        <HoldButton
          label={t("jobs.cancel_for_good")}
          version={job.id}
          needsHold={false}
          disabled={refusal !== null}
          pending={calls.cancel_job.pending}
          testId="cancel-confirm"
          onAct={() => calls.cancel_job.run({ id: job.id }, () => setCancelling(false))}
        />
      )}
      <div className={styles.wide}>
        <Refusal error={failed} />
      </div>
    </div>
  );
}
