import type { FallbackRow } from "../../generated/bindings/FallbackRow";
import type { FallbackStepRow } from "../../generated/bindings/FallbackStepRow";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import table from "../../design/components/table.module.css";
import { formatAge } from "../../design/format/time";
import { stopReasonText } from "../../domain/stop/stop-reasons";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import sections from "./sections.module.css";

/** Fallback steps for each class of failure of a robot, and the progress of its newest run. */
export function Fallbacks({ robot }: { robot: string }) {
  const title = t("fallbacks.title", { robot });
  const fallbacks = useRows("safety", "list_fallbacks", { robot });
  return (
    <Panel title={title}>
      <Rows query={fallbacks} what={title}>
        {({ rows }) => (
          <div className={table.scroll}>
            <table className={table.table} data-testid="fallbacks">
              <thead>
                <tr>
                  <th scope="col">{t("fallbacks.class")}</th>
                  <th scope="col">{t("fallbacks.steps")}</th>
                  <th scope="col">{t("fallbacks.newest")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Line key={row.class} row={row} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Rows>
    </Panel>
  );
}

function Line({ row }: { row: FallbackRow }) {
  // Whole seconds: a finer age would draw the row with every frame.
  const ago = useLive(({ time }) =>
    row.begun_mono_ms === null || time.now_ms === null
      ? null
      : formatAge(Math.floor((time.now_ms - row.begun_mono_ms) / 1_000) * 1_000),
  );
  return (
    <tr data-testid={`fallback-${row.class}`}>
      <th scope="row">{t(`fallback_class.${row.class}`)}</th>
      <td className={table.wrap}>
        <ol className={sections.steps}>
          {row.steps.map((step) => (
            <li key={step.step} data-outcome={step.outcome ?? "none"}>
              {t(`fallback_step.${step.step}`)} <small>{outcomeText(step)}</small>
            </li>
          ))}
        </ol>
      </td>
      <td className={`${table.wrap} ${sections.newest}`}>
        {ago === null ? <span className={table.muted}>{t("fallbacks.never")}</span> : t("fallbacks.ago", { age: ago })}
        {row.why !== null && <small>{stopReasonText(row.why, row.why_kind)}</small>}
      </td>
    </tr>
  );
}

function outcomeText({ outcome, after_ms }: FallbackStepRow): string {
  if (outcome === null) return "";
  const word = t(`fallback_outcome.${outcome}`);
  return after_ms === null ? word : t("fallbacks.after", { outcome: word, ms: after_ms });
}
