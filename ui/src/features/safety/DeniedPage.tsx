import { Link } from "wouter";
import type { CommandChecked } from "../../generated/bindings/CommandChecked";
import { Button } from "../../design/components/Button";
import { Rows } from "../../design/components/Rows";
import { ScenePage } from "../../design/layout/ScenePage";
import { formatClockAgo } from "../../design/format/time";
import { VerdictMark } from "../../design/theme/icons/VerdictMark";
import { suggest } from "../../domain/agent/draft";
import { useStation } from "../../domain/station/station-context";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { byMargin, limitHref, violatedBy, worstOf } from "../../domain/verdict/denial-facts";
import { DenialFacts } from "../../domain/verdict/DenialFacts";
import { DenialScene } from "../../domain/verdict/DenialScene";
import { verdictSaid } from "../../domain/verdict/item-words";
import { LimitsTable } from "../../domain/verdict/LimitsTable";
import { ReplanButton } from "../../domain/verdict/ReplanButton";
import { saveTestCase, testCaseOf } from "../../domain/verdict/test-case";
import { checkedInWords } from "../../domain/verdict/verdict-words";
import { t } from "../../locales/i18n";
import styles from "./DeniedPage.module.css";

/** A denied motion in full: drawn where it is wrong, with every limit, what would be allowed, and the ways on. */
export function DeniedPage({ id }: { id: string }) {
  const explained = useRows("constraints", "explain_verdict", { id });
  return (
    <Rows query={explained} what={t("denial.title")}>
      {/* The scene keeps the start of its denial, which is not that of another one. */}
      {({ rows }) => <Denied key={rows.verdict.id} {...rows} />}
    </Rows>
  );
}

function Denied({ verdict, explanation, sentence }: CommandChecked) {
  const { store: station } = useStation();
  const worst = worstOf(verdict, explanation);
  const { text, more } = verdictSaid(sentence, verdict, explanation);
  const at = useLive((store) =>
    store.time.now_ms === null ? null : formatClockAgo(store.time.now_ms - verdict.at_mono_ms),
  );
  return (
    <ScenePage
      label={t("denial.title")}
      testId="denied-page"
      scene={
        worst && <DenialScene verdict={verdict} command={null} worst={worst} violated={violatedBy(explanation)} hero />
      }
      head={
        <>
          <p className={styles.when}>
            <VerdictMark mark="deny" /> {t("denial.when", { robot: verdict.robot, at: at ?? "" })}
          </p>
          <h1 className={styles.sentence}>{text}</h1>
          {more !== null && (
            <p className={styles.checked} lang="en">
              {more}
            </p>
          )}
          <p className={styles.checked}>
            {t("denial.nothing_sent")}{" "}
            {t("denial.checked", { what: checkedInWords(verdict), frame: verdict.frame, version: verdict.set_version })}
          </p>
        </>
      }
      acts={
        <>
          <ReplanButton
            command={null}
            verdict={verdict}
            rows={explanation}
            onReplan={(text) => suggest(station, text)}
            primary
          />
          <Link className={styles.link} href={limitHref(verdict.robot, worst?.constraint ?? null)}>
            {t("denial.open_limit")}
          </Link>
          <Button data-testid="save-case" onClick={() => saveTestCase(testCaseOf(null, verdict, explanation))}>
            {t("denial.save")}
          </Button>
        </>
      }
    >
      <LimitsTable rows={byMargin(explanation)} />
      {worst && <DenialFacts verdict={verdict} worst={worst} />}
    </ScenePage>
  );
}
