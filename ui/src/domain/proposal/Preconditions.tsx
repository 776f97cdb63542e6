import type { Proposal } from "../../generated/bindings/Proposal";
import { VerdictMark } from "../../design/theme/icons/VerdictMark";
import { t } from "../../locales/i18n";
import styles from "./Preconditions.module.css";
import card from "./ProposalCard.module.css";

/** What must hold at the click and at the sending; `compact` lists only what does not. */
export function Preconditions({ proposal, compact }: { proposal: Proposal; compact: boolean }) {
  const rows = proposal.preconditions.filter(({ holds }) => !compact || !holds);
  if (rows.length === 0) return null;
  return (
    <section className={card.section} data-testid="preconditions">
      <h4 className={card.heading}>{t("proposal.preconditions")}</h4>
      <ul className={styles.list}>
        {rows.map(({ code, holds }) => (
          <li key={code} className={styles.row} data-holds={holds}>
            <VerdictMark mark={holds ? "allow" : "deny"} /> <span>{t(`precondition.${code}`)}</span>{" "}
            <small>{t(holds ? "proposal.holds" : "proposal.fails")}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
