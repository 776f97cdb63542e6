import { useState } from "react";
import type { MissionDetail } from "../../../generated/bindings/MissionDetail";
import type { MissionDryRun } from "../../../generated/bindings/MissionDryRun";
import { Button } from "../../../design/components/Button";
import { Notice } from "../../../design/components/Notice";
import { Refusal } from "../../../design/components/Refusal";
import table from "../../../design/components/table.module.css";
import { formatMoment, formatWhen } from "../../../design/format/time";
import { hindranceText, newestRun, outcomeText } from "../../../domain/mission/dry-record";
import { DryRecordLine } from "../../../domain/mission/DryRecordLine";
import { t } from "../../../locales/i18n";
import { conflictWords, staleWords, sumWords } from "./dry-run";
import { DryRecorded } from "./DryRecorded";
import { DryStep } from "./DryStep";
import { DryWays } from "./DryWays";
import { type DryRunCall, useDryRun } from "./useDryRun";
import styles from "./DryRun.module.css";

/** The outcome of a run of the file, step by step, with nothing carried out. */
export function DryRun({ mission }: { mission: MissionDetail }) {
  const call = useDryRun(mission.id);
  const { dry, running, error } = call;
  return (
    <div className={styles.dry} data-testid="dry-run" aria-busy={running}>
      {dry === null ? (
        <Notice title={t("dry_run.none")} detail={t("dry_run.none_detail")}>
          <Run call={call} />
          <DryRecordLine run={newestRun(mission, null)} />
        </Notice>
      ) : (
        <Outcome dry={dry} stale={staleWords(mission, dry)} call={call} />
      )}
      {error !== null && (
        <div className={styles.line}>
          <Refusal error={error} />
        </div>
      )}
      {dry !== null && <Steps dry={dry} />}
      {dry !== null && <DryWays steps={dry.steps} />}
      {dry !== null && dry.recorded !== null && <DryRecorded recorded={dry.recorded} />}
    </div>
  );
}

function Run({ call: { dry, run, running } }: { call: DryRunCall }) {
  const words = t(dry === null ? "dry_run.run" : "dry_run.again");
  return (
    <Button size={dry === null ? "normal" : "row"} data-testid="dry-run-start" disabled={running} onClick={run}>
      {running ? t("dry_run.running") : words}
    </Button>
  );
}

type OutcomeProps = { dry: MissionDryRun; stale: readonly string[]; call: DryRunCall };

/** The outcome as a whole, and everything that a person has to know beside the steps. */
function Outcome({ dry, stale, call }: OutcomeProps) {
  return (
    <header className={styles.outcome} data-ok={dry.ok} data-stale={stale.length > 0}>
      <div className={styles.head}>
        <p className={styles.sentence} role="status" data-testid="dry-run-outcome">
          {outcomeText(dry)}
        </p>
        <Run call={call} />
      </div>
      {dry.steps.length > 0 && <p className={styles.quiet}>{sumWords(dry)}</p>}
      <p className={styles.quiet} title={formatMoment(dry.at_ms)}>
        {t("dry_run.at", { when: formatWhen(dry.at_ms) })}{" "}
        {stale.length > 0 && (
          <strong className={styles.stale} data-testid="dry-run-stale">
            {stale.join(" ")}
          </strong>
        )}
      </p>
      <Notes title={t("dry_run.before")} notes={dry.before.map(hindranceText)} />
      <Notes title={t("dry_run.conflicts")} notes={conflictWords(dry)} />
    </header>
  );
}

function Notes({ title, notes }: { title: string; notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <div className={styles.notes}>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles.list}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}

/** One row for each goal; a row opens the scene and the limits of its motion. */
function Steps({ dry }: { dry: MissionDryRun }) {
  const [opened, setOpened] = useState<number | null>(null);
  if (dry.steps.length === 0) return <Notice title={t("dry_run.no_steps")} detail={t("dry_run.no_steps_detail")} />;
  return (
    <table className={`${table.table} ${styles.table}`} aria-label={t("dry_run.table")} data-testid="dry-run-steps">
      <thead>
        <tr>
          <th scope="col">{t("dry_run.step")}</th>
          <th scope="col">{t("dry_run.room")}</th>
          <th scope="col">{t("dry_run.approval")}</th>
        </tr>
      </thead>
      <tbody>
        {dry.steps.map((step) => (
          <DryStep
            key={step.goal}
            step={step}
            isOpen={opened === step.goal}
            onToggle={() => setOpened(opened === step.goal ? null : step.goal)}
          />
        ))}
      </tbody>
    </table>
  );
}
