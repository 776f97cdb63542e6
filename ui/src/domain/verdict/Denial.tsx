import { Link } from "wouter";
import type { ItemRow } from "../../generated/bindings/ItemRow";
import type { RawCommand } from "../../generated/bindings/RawCommand";
import type { Verdict } from "../../generated/bindings/Verdict";
import { VerdictMark } from "../../design/theme/icons/VerdictMark";
import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import { byMargin, isArbitration, limitHref, violatedBy, worstOf } from "./denial-facts";
import styles from "./Denial.module.css";
import { verdictSaid } from "./item-words";
import { DenialFacts } from "./DenialFacts";
import { DenialControl } from "./DenialControl";
import { DenialScene } from "./DenialScene";
import { LimitsTable } from "./LimitsTable";
import { ReplanButton } from "./ReplanButton";
import { saveTestCase, testCaseOf } from "./test-case";
import { checkedInWords } from "./verdict-words";

type DenialProps = {
  sentence: string;
  verdict: Verdict;
  rows: readonly ItemRow[];
  /** The denied command, if it can be read. */
  command: RawCommand | null;
  /** Puts a sentence where the operator can send it. */
  onReplan: (text: string) => void;
};

/**
 * Explanation of a denied motion: the sentence, the violation and its remedy, every limit, and the checked part
 * (U-1604).
 */
export function Denial({ sentence, verdict, rows, command, onReplan }: DenialProps) {
  const worst = worstOf(verdict, rows);
  const { text, more } = verdictSaid(sentence, verdict, rows);
  const violated = violatedBy(rows);
  return (
    <article className={styles.denial} data-testid="denial" aria-label={t("denial.title")}>
      <p className={styles.sentence}>
        <VerdictMark mark="deny" /> <span>{text}</span>
      </p>
      {more !== null && (
        <p className={styles.checked} lang="en">
          {more}
        </p>
      )}
      {worst && (
        <>
          <DenialFacts verdict={verdict} worst={worst} />
          <DenialScene verdict={verdict} command={command} worst={worst} violated={violated} />
        </>
      )}
      {isArbitration(rows) && <DenialControl robot={verdict.robot} />}
      <LimitsTable rows={byMargin(rows)} compact />
      <p className={styles.checked}>
        {t("denial.checked", { what: checkedInWords(verdict), frame: verdict.frame, version: verdict.set_version })}
      </p>
      <div className={styles.acts}>
        <ReplanButton command={command} verdict={verdict} rows={rows} onReplan={onReplan} />
        <Link className={styles.link} href={limitHref(verdict.robot, worst?.constraint ?? null)}>
          {t("denial.open_limit")}
        </Link>
        <Link className={styles.link} href={`/safety/${verdict.robot}/denied/${verdict.id}`} data-testid="open-denial">
          {t("denial.open")}
        </Link>
        <Button look="quiet" data-testid="save-case" onClick={() => saveTestCase(testCaseOf(command, verdict, rows))}>
          {t("denial.save")}
        </Button>
      </div>
    </article>
  );
}
