import type { AgentRow } from "../../generated/bindings/AgentRow";
import type { PromptRead } from "../../generated/bindings/PromptRead";
import type { PromptReading } from "../../generated/bindings/PromptReading";
import { formatNumber } from "../../design/format/numbers";
import { formatWholeAge } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./ModelReading.module.css";

/** Progress of the model through a long prompt, and the reason for a smaller set of tools, where there is one. */
export function ModelReading({ row: { reading, compact } }: { row: AgentRow }) {
  return (
    <>
      {compact !== undefined && (
        <p className={styles.compact} data-testid="agent-compact" title={t(`agent.compact.${compact}_why`)}>
          {t(`agent.compact.${compact}`)}
        </p>
      )}
      {reading !== undefined && <Progress reading={reading} />}
    </>
  );
}

function Progress({ reading: { warm_up, read } }: { reading: PromptReading }) {
  const name = warm_up ? t("agent.warm_up") : t("agent.reading");
  return (
    <div className={styles.reading} data-testid="agent-reading">
      <span>{name}</span>
      <progress aria-label={name} className={styles.bar} max={read?.tokens} value={read?.done} />
      {read !== null && <span>{saidOf(read)}</span>}
    </div>
  );
}

function saidOf(read: PromptRead): string {
  const said = t("agent.read", { done: formatNumber(read.done, 0), tokens: formatNumber(read.tokens, 0) });
  const left_ms = leftOf(read);
  return left_ms === null
    ? said
    : `${said} · ${t("agent.time_left", { time: formatWholeAge(Math.ceil(left_ms / 1_000) * 1_000) })}`;
}

/** The rest at the speed so far; null before anything was read. What was known from before took no time. */
export function leftOf({ tokens, cached, done, elapsed_ms }: PromptRead): number | null {
  const fresh = done - cached;
  return fresh <= 0 ? null : ((tokens - done) * elapsed_ms) / fresh;
}
