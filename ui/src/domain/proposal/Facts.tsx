import type { Proposal } from "../../generated/bindings/Proposal";
import { Aged } from "../../design/components/Aged";
import table from "../../design/components/table.module.css";
import { formatAge } from "../../design/format/time";
import { useLive } from "../station/useLive";
import { t } from "../../locales/i18n";
import styles from "./ProposalCard.module.css";

/** Facts that the agent's request rests on, their freshness when the station last looked, and their age by now. */
export function Facts({ proposal, asked_ms }: { proposal: Proposal; asked_ms: number }) {
  // Whole seconds: the table is drawn once a second, not with every frame.
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
              <td className={table.number} data-freshness={fact.freshness}>
                <Aged state={fact.freshness} age={formatAge(fact.age_ms + since_ms)} showAge>
                  <bdi>{fact.value}</bdi>
                </Aged>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
