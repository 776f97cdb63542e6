import type { BeliefHistoryRow } from "../../generated/bindings/BeliefHistoryRow";
import { formatMoment } from "../../design/format/time";
import { t } from "../../locales/i18n";
import type { Span } from "./belief-curve";
import { lanesOf } from "./belief-lanes";
import styles from "./Lanes.module.css";

/** Values that changed hands more often are in the table. */
const LANES_MAX = 5;

/** A lane per value: when it was held, and when something else claimed it. */
export function Lanes({ rows, span, now }: { rows: readonly BeliefHistoryRow[]; span: Span; now: number }) {
  const lanes = lanesOf(rows, now);
  const share = (at: number) =>
    `${(100 * (Math.min(Math.max(at, span.from), span.to) - span.from)) / (span.to - span.from)}%`;
  const rest = lanes.length - LANES_MAX;
  return (
    <div className={styles.lanes}>
      {lanes.slice(0, LANES_MAX).map(({ value, held, claims }) => (
        <div key={value} className={styles.lane}>
          <span className={styles.value} title={value}>
            {value === "" ? t("beliefs.empty_value") : value}
          </span>
          <span className={styles.track}>
            {held
              .filter(({ from, to }) => to >= span.from && from <= span.to)
              .map(({ from, to }, place) => (
                <span
                  // Times are whole seconds: a value can be held twice within one.
                  key={`${from}-${place}`}
                  className={styles.held}
                  title={t("timeline.held", { from: formatMoment(from * 1_000), to: formatMoment(to * 1_000) })}
                  style={{ insetInlineStart: share(from), insetInlineEnd: `calc(100% - ${share(to)})` }}
                />
              ))}
            {claims
              .filter((at) => span.from <= at && at <= span.to)
              .map((at, place) => (
                <span
                  key={`${at}-${place}`}
                  className={styles.claim}
                  title={t("timeline.claimed", { when: formatMoment(at * 1_000) })}
                  style={{ insetInlineStart: share(at) }}
                />
              ))}
          </span>
        </div>
      ))}
      {rest > 0 && <p className={styles.rest}>{t("timeline.more_values", { count: rest })}</p>}
    </div>
  );
}
