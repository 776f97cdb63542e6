import { Link } from "wouter";
import type { ItemRow } from "../../bindings/ItemRow";
import type { Verdict } from "../../bindings/Verdict";
import { VerdictMark } from "../../theme/icons/VerdictMark";
import { t } from "../i18n";
import styles from "./Denial.module.css";
import { LimitsTable } from "./LimitsTable";
import { checkedInWords } from "./verdict-words";

/** Why a motion was not allowed: the sentence, every limit, and what was checked (U-1604). */
export function Denial({ sentence, verdict, rows }: { sentence: string; verdict: Verdict; rows: readonly ItemRow[] }) {
  return (
    <article className={styles.denial} data-testid="denial" aria-label={t("denial.title")}>
      <p className={styles.sentence}>
        <VerdictMark mark="deny" /> {sentence}
      </p>
      <LimitsTable rows={rows} compact />
      <p className={styles.checked}>
        {t("denial.checked", { what: checkedInWords(verdict), frame: verdict.frame, version: verdict.set_version })}{" "}
        <Link href={`/safety/${verdict.robot}`}>{t("denial.open_limit")}</Link>
      </p>
    </article>
  );
}
