import type { Proposal } from "../../bindings/Proposal";
import table from "../components/table.module.css";
import { formatAge } from "../format/time";
import { useLive } from "../hooks/useLive";
import { t } from "../i18n";
import styles from "./ProposalCard.module.css";

/** What the agent knew when it asked, and how old that is by now. */
export function Facts({ proposal, asked_ms }: { proposal: Proposal; asked_ms: number }) {
  const since_ms = useLive((store) => Math.max(0, Math.floor((store.time.local_ms - asked_ms) / 1_000) * 1_000));
  if (proposal.facts.length === 0) return null;
  return (
    <section className={styles.section}>
      <h4 className={styles.heading}>{t("proposal.facts")}</h4>
      <table className={table.table}>
        <tbody>
          {proposal.facts.map((fact) => (
            <tr key={fact.key}>
              <th scope="row" className={table.key}>
                {fact.key}
              </th>
              <td className={table.number}>
                {fact.value} <span className={table.muted}>{formatAge(fact.age_ms + since_ms)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
