import type { ConstraintPreview } from "../../generated/bindings/ConstraintPreview";
import type { TriedCommand } from "../../generated/bindings/TriedCommand";
import { formatMoment } from "../../design/format/time";
import { verdictSaid } from "../../domain/verdict/item-words";
import { t } from "../../locales/i18n";
import styles from "./TriedCommands.module.css";

/** Commands of the last day whose verdict the new set would change: those it would let through first. */
export function TriedCommands({ preview }: { preview: ConstraintPreview }) {
  if (preview.recorded === 0) return <p>{t("tried.none")}</p>;
  return (
    <div className={styles.tried} data-testid="tried">
      <p>{t("tried.recorded", { count: preview.recorded })}</p>
      <Turned title={t("tried.allowed", { count: preview.deny_to_allow_total })} rows={preview.deny_to_allow} />
      <Turned title={t("tried.denied", { count: preview.allow_to_deny_total })} rows={preview.allow_to_deny} />
    </div>
  );
}

function saidOf({ sentence, verdict }: TriedCommand): string {
  const rows = verdict.items.map((item) => ({ item, sentence: "" }));
  return verdictSaid(sentence, verdict, rows).text;
}

function Turned({ title, rows }: { title: string; rows: readonly TriedCommand[] }) {
  if (rows.length === 0) return <p>{title}</p>;
  return (
    <details>
      <summary>{title}</summary>
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.command}>
            {formatMoment(row.at * 1_000)} {row.robot}: {saidOf(row)}
          </li>
        ))}
      </ul>
    </details>
  );
}
