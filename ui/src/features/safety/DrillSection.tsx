import { useState } from "react";
import type { DrillRow } from "../../generated/bindings/DrillRow";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import table from "../../design/components/table.module.css";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { formatAge, formatWholeAge } from "../../design/format/time";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useTicked } from "../../domain/station/useTicked";
import { useRows } from "../../domain/station/useRows";
import { toHostError } from "../../host/host";
import { t } from "../../locales/i18n";
import styles from "./DrillSection.module.css";

/** A stop path that was not tested for a shift is tested again. */
const SHIFT_MS = 12 * 3_600_000;
/** Tests shown. */
const SHOWN = 5;

/** Stop drills of the robot: success, time, and speed of the response (U-616). */
export function DrillSection({ robot }: { robot: string }) {
  const drills = useRows("safety", "list_drills", { robot });
  const drill = useOperation("run_stop_drill");
  const [unanswered, setUnanswered] = useState<readonly string[]>([]);
  const refusal = useCommandRefusal();
  const rows = drills.data?.rows ?? [];
  const run = (
    <Button
      data-testid={`drill-${robot}`}
      aria-label={t("drill.run_name", { robot })}
      disabled={refusal !== null || drill.pending}
      title={refusal ?? undefined}
      onClick={() => {
        // The names of the test before must not be read as those of this one.
        setUnanswered([]);
        drill.run({ robot }, (run) => setUnanswered(run.unanswered));
      }}
    >
      {drill.pending ? t("drill.running") : t("drill.run")}
    </Button>
  );
  return (
    <Panel title={t("drill.title", { robot })} aside={run}>
      <Refusal error={drill.error} />
      {unanswered.length > 0 && (
        <p className={styles.reminder} role="status">
          {t("drill.unanswered", { names: unanswered.join(", ") })}
        </p>
      )}
      <Refusal error={drills.error === null ? null : toHostError(drills.error)} />
      {drills.isSuccess && <Reminder newest={rows[0]} />}
      <p className={styles.about}>{t("drill.about")}</p>
      {rows.length > 0 && <Trend rows={rows.slice(0, SHOWN)} />}
    </Panel>
  );
}

function Reminder({ newest }: { newest: DrillRow | undefined }) {
  const text = useTicked((now_ms) => reminderOf(newest, now_ms));
  return text === null ? null : <p className={styles.reminder}>{text}</p>;
}

function reminderOf(newest: DrillRow | undefined, now_ms: number): string | null {
  if (newest === undefined) return t("drill.never");
  if (newest.acked_after_ms === null || newest.standstill_after_ms === null) return t("drill.failed");
  const age_ms = now_ms - newest.at;
  return age_ms > SHIFT_MS ? t("drill.old", { age: formatAge(age_ms) }) : null;
}

function Trend({ rows }: { rows: readonly DrillRow[] }) {
  return (
    <div className={table.scroll}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t("drill.when")}</th>
            <th scope="col">{t("drill.by")}</th>
            <th scope="col" className={table.number}>
              {t("drill.acked")}
            </th>
            <th scope="col" className={table.number}>
              {t("drill.standstill")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.stop_id}>
              <td>
                <Ago at={row.at} />
              </td>
              <td>{row.by}</td>
              <td className={table.number}>{milliseconds(row.acked_after_ms)}</td>
              <td className={table.number}>{milliseconds(row.standstill_after_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Time since a test, in whole seconds: the ticker draws it again when its text changes. */
function Ago({ at }: { at: number }) {
  return useTicked((now_ms) => t("drill.ago", { age: formatWholeAge(now_ms - at) }));
}

function milliseconds(ms: number | null): string {
  return ms === null ? NO_NUMBER : `${formatNumber(ms, 0)} ms`;
}
