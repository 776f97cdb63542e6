import type { Proposal } from "../../generated/bindings/Proposal";
import { formatClockMs } from "../../design/format/time";
import { t } from "../../locales/i18n";
import styles from "./Payload.module.css";

/** Characters that change the order of others, or that nobody sees. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON in which nothing is hidden: such characters stand as their escapes, which mean the same. */
function visible(json: string): string {
  return json.replaceAll(HIDDEN, escaped);
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}

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
                ? t("proposal.desk_delivered", { actor, desk: t(`desk_kind.${desk}`) })
                : t("proposal.desk_shown", { actor, desk: t(`desk_kind.${desk}`), time: formatClockMs(shown_at) })}
            </p>
          ))}
        </dd>
      </dl>
      <pre className={styles.json} tabIndex={0}>
        {visible(JSON.stringify(proposal.input, null, 2))}
      </pre>
    </details>
  );
}
