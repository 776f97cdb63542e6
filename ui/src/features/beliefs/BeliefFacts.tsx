import type { ReactNode } from "react";
import { Link } from "wouter";
import type { BeliefHistory } from "../../generated/bindings/BeliefHistory";
import { formatNumber } from "../../design/format/numbers";
import { formatAge, formatMoment } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./BeliefDetail.module.css";
import { confidenceAt } from "./belief-curve";

/** Value of a belief, its confidence and holder, and its end if nothing happens. */
export function BeliefFacts({ history, now, silent }: { history: BeliefHistory; now: number; silent: boolean }) {
  const { belief } = history;
  return (
    <dl className={styles.facts}>
      <Fact name={t("beliefs.value")}>
        <span className={styles.held} data-testid="belief-value">
          {belief.value}
        </span>{" "}
        <span className={styles.muted}>{t(`belief_kind.${belief.kind}`)}</span>
      </Fact>
      <Fact name={t("beliefs.confidence")}>
        <span className={styles.figure} data-testid="belief-confidence">
          {formatNumber((confidenceAt(history, now) ?? belief.confidence) * 100, 0)}
        </span>{" "}
        <span className={styles.muted}>%</span>
      </Fact>
      <Fact name={t("beliefs.since")}>{when(belief.first_observed)}</Fact>
      <Fact name={t("beliefs.last_confirmed")}>
        {when(belief.last_confirmed)} <span className={styles.muted}>{t(`confirmed_by.${belief.confirmed_by}`)}</span>
      </Fact>
      <Fact name={t("beliefs.counts")}>
        {t("beliefs.counted", { confirmed: belief.confirmation_count, contradicted: belief.contradiction_count })}
      </Fact>
      <Fact name={t("beliefs.half_life")}>{formatAge(belief.half_life_secs * 1_000)}</Fact>
      {belief.pinned_until !== null && <Fact name={t("beliefs.pinned_until")}>{when(belief.pinned_until)}</Fact>}
      {history.below_05_at !== null && <Fact name={t("beliefs.weak_from")}>{when(history.below_05_at)}</Fact>}
      {history.below_02_at !== null && <Fact name={t("beliefs.doubtful_from")}>{when(history.below_02_at)}</Fact>}
      {belief.challenged_at !== null && <Fact name={t("beliefs.challenged_since")}>{when(belief.challenged_at)}</Fact>}
      {belief.observes !== null && (
        <Fact name={t("beliefs.observes")}>
          <Link href={`/world/key/${belief.observes}`}>{belief.observes}</Link>{" "}
          {silent && <span className={styles.old}>{t("beliefs.silent")}</span>}
        </Fact>
      )}
      {belief.source !== null && <Fact name={t("beliefs.source")}>{belief.source}</Fact>}
      {belief.notes !== null && <Fact name={t("beliefs.notes")}>{belief.notes}</Fact>}
    </dl>
  );
}

function when(at: number): string {
  return formatMoment(at * 1_000);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
