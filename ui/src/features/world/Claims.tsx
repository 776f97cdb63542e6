import type { ClaimRow } from "../../generated/bindings/ClaimRow";
import type { WorldRow } from "../../generated/bindings/WorldRow";
import { Aged } from "../../design/components/Aged";
import table from "../../design/components/table.module.css";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { scalarText } from "../../design/format/scalar";
import { formatAge } from "../../design/format/time";
import { ageMs } from "../../design/format/freshness";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import styles from "./EntryPanel.module.css";
import { freshnessNow, wholeSeconds } from "./useWorldReading";

/** Claims of every source, and the one that is shown (WS-11). */
export function Claims({
  entry,
  claims,
  asked_ms,
}: {
  entry: WorldRow;
  claims: readonly ClaimRow[];
  asked_ms: number;
}) {
  return (
    <section className={styles.part}>
      <h3>{t("entry.claims")}</h3>
      <div className={styles.claims}>
        <table className={table.table} data-testid="claims">
          <thead>
            <tr>
              <th scope="col">{t("world.source")}</th>
              <th scope="col" className={table.number}>
                {t("world.value")}
              </th>
              <th scope="col" className={table.number}>
                {t("world.confidence")}
              </th>
              <th scope="col" className={table.number}>
                {t("world.age")}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t("entry.is_shown")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {claims.map((claim) => (
              <Claim
                key={`${claim.provider} ${claim.source}`}
                claim={claim}
                unit={entry.unit}
                asked_ms={asked_ms}
                shown={claim.provider === entry.provider && claim.source === entry.source}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

type ClaimProps = { claim: ClaimRow; unit: string | null; asked_ms: number; shown: boolean };

function Claim({ claim, unit, asked_ms, shown }: ClaimProps) {
  const state = useLive((store) => freshnessNow(store, claim.freshness));
  const age_ms = useLive(({ time }) => Math.floor((claim.age_ms + ageMs(asked_ms, time.local_ms)) / 100) * 100);
  const age = formatAge(age_ms);
  return (
    <tr data-shown={shown}>
      <th scope="row" className={table.key}>
        {claim.source}
      </th>
      <td className={table.number}>
        <Aged state={state} age={age} age_ms={wholeSeconds(age_ms)}>
          <span className={styles.text}>{scalarText(claim.value, unit)}</span>
        </Aged>
      </td>
      <td className={table.number}>{claim.confidence === null ? NO_NUMBER : formatNumber(claim.confidence, 2)}</td>
      <td className={`${table.number} ${table.muted}`}>{age}</td>
      <td>{shown ? <strong>{t("entry.shown")}</strong> : t("entry.not_shown")}</td>
    </tr>
  );
}
