import type { Proposal } from "../../generated/bindings/Proposal";
import table from "../../design/components/table.module.css";
import { exactText } from "../../design/fields/decimal";
import { t } from "../../locales/i18n";
import { named } from "./input-numbers";
import styles from "./ProposalCard.module.css";

/** Differences from the last approved action of its kind, which a practised eye would pass over. */
export function LastApproved({ proposal }: { proposal: Proposal }) {
  const diff = proposal.diff_from_last;
  if (!diff) return null;
  return (
    <section className={styles.section} data-testid="diff-from-last">
      <h4 className={styles.heading}>{t("proposal.diff_from_last")}</h4>
      {diff.changes.length === 0 ? (
        <p className={styles.same}>{t("proposal.same_as_last")}</p>
      ) : (
        <table className={table.table}>
          <tbody>
            {diff.changes.map(({ path, from, to }) => (
              <tr key={path}>
                <th scope="row" className={table.wrap} title={path}>
                  {named(path, proposal.input).label}
                </th>
                <td className={`${table.wrap} ${styles.change}`}>
                  <span className={table.muted}>{valueText(from)}</span> → <strong>{valueText(to)}</strong>{" "}
                  {named(path, proposal.input).unit}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function valueText(value: unknown): string {
  if (value === null) return t("changes.absent");
  // Not rounded: the difference that matters may be in the last digit.
  return typeof value === "number" ? exactText(value) : JSON.stringify(value);
}
