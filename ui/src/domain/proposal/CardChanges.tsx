import { useState } from "react";
import type { Proposal } from "../../generated/bindings/Proposal";
import table from "../../design/components/table.module.css";
import { t } from "../../locales/i18n";
import { changesBetween } from "./card-changes";
import styles from "./ProposalCard.module.css";

/** Differences from the card as it appeared: nobody should approve a text that has changed since they read it. */
export function CardChanges({ proposal }: { proposal: Proposal }) {
  // The card as it appeared, for as long as it is shown: a second change must not hide the first.
  const [first] = useState(proposal);
  const changes = changesBetween(first, proposal);
  if (changes.length === 0) return null;
  return (
    <section className={styles.section} data-testid="card-changes">
      <h4 className={styles.heading}>
        {t("changes.title")}
        <small>{t("changes.versions", { before: first.version, after: proposal.version })}</small>
      </h4>
      <table className={table.table}>
        <tbody>
          {changes.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row" className={table.wrap}>
                {name}
              </th>
              <td className={`${table.wrap} ${styles.change}`}>
                <span className={table.muted}>{before}</span> → <strong>{after}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
