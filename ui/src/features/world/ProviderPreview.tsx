import { Button } from "../../design/components/Button";
import { fieldText } from "../../design/fields/decimal";
import { formatNumber } from "../../design/format/numbers";
import { scalarText } from "../../design/format/scalar";
import { warningText } from "../../domain/world/warning-text";
import { t } from "../../locales/i18n";
import { rejectTexts } from "./provider-words";
import styles from "./Providers.module.css";
import type { ContextTest } from "./useContextTest";

/** Below it nothing can be suggested: samples that come together have no period. */
const MAX_AGE_LEAST_S = 0.1;
/** Entries named; the rest is counted. */
const WRITES_SHOWN = 8;

/** Number of recent samples that match, and the entries they would become. */
export function ProviderPreview({ test, onMaxAge }: { test: ContextTest; onMaxAge: (secs: string) => void }) {
  const { answer, pending } = test;
  if (answer === null) {
    return (
      <section className={styles.preview} aria-live="polite" data-testid="provider-preview">
        <p>{t(pending ? "provider_form.testing" : "provider_form.not_yet")}</p>
      </section>
    );
  }
  const suggested = answer.suggested_max_age_secs;
  return (
    <section className={styles.preview} aria-live="polite" data-testid="provider-preview" data-matched={answer.matched}>
      <p>
        <strong>
          {t("provider_form.matches", {
            matched: formatNumber(answer.matched, 0),
            rows: t("provider_form.rows", { count: answer.rows, shown: formatNumber(answer.rows, 0) }),
            samples: t("provider_form.samples", { count: answer.samples, shown: formatNumber(answer.samples, 0) }),
          })}
        </strong>{" "}
        <Button look="quiet" disabled={pending} onClick={test.again}>
          {t("provider_form.again")}
        </Button>
      </p>
      <ul className={styles.writes}>
        {answer.writes.slice(0, WRITES_SHOWN).map((write) => (
          <li key={write.key}>
            → {write.key} = {scalarText(write.value, null)}
            {write.confidence !== null && ` · ${formatNumber(write.confidence, 2)}`} ·{" "}
            {t("provider_form.times", { count: write.n, times: formatNumber(write.n, 0) })}
          </li>
        ))}
      </ul>
      {answer.writes.length > WRITES_SHOWN && (
        <p className={styles.small}>{t("provider_form.more_keys", { count: answer.writes.length - WRITES_SHOWN })}</p>
      )}
      {rejectTexts(answer.rejects).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {answer.first_failing_clause !== null && (
        <p>
          {t("provider_form.fails_at")} <code>{answer.first_failing_clause}</code>
        </p>
      )}
      {answer.period_ms !== null && suggested !== null && suggested >= MAX_AGE_LEAST_S && (
        <p>
          {t("provider_form.period", { period: formatNumber(answer.period_ms / 1_000, 1) })}{" "}
          <Button look="quiet" onClick={() => onMaxAge(fieldText(suggested))}>
            {t("provider_form.use_max_age", { secs: formatNumber(suggested, 1) })}
          </Button>
        </p>
      )}
      {answer.warnings.map((warning) => (
        <p key={`${warning.code} ${warning.key ?? ""} ${warning.message}`}>
          <strong>{t("rules.note")}</strong> {warningText(warning)}
        </p>
      ))}
    </section>
  );
}
