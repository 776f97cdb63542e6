import type { Proposal } from "../../generated/bindings/Proposal";
import { formatClockMs } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./Payload.module.css";

/** Exactly what would be sent, and the hash that the approval names. */
export function Payload({ proposal }: { proposal: Proposal }) {
  return (
    <details className={styles.payload}>
      <summary>{t("proposal.payload")}</summary>
      <dl className={styles.facts}>
        <dt>{t("proposal.operation")}</dt>
        <dd>
          <code>{proposal.operation}</code>
        </dd>
        <dt>{t("proposal.agent")}</dt>
        <dd>{proposal.agent}</dd>
        <dt>{t("proposal.version")}</dt>
        <dd>{proposal.version}</dd>
        <dt>{t("proposal.hash")}</dt>
        <dd>
          <code>{proposal.action_hash}</code>
        </dd>
        <dt>{t("proposal.desks")}</dt>
        <dd data-testid="proposal-desks">
          {proposal.desks.length === 0 && t("proposal.no_desk")}
          {proposal.desks.map(({ session, actor, desk, shown_at }) => (
            <p key={session}>
              {shown_at === null
                ? t("proposal.desk_delivered", { actor, desk })
                : t("proposal.desk_shown", { actor, desk, time: formatClockMs(shown_at) })}
            </p>
          ))}
        </dd>
      </dl>
      <pre className={styles.json} tabIndex={0}>
        {JSON.stringify(proposal.input, null, 2)}
      </pre>
    </details>
  );
}
