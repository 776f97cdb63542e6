import { Link } from "wouter";
import { t } from "../../locales/i18n";
import type { DraftedMission } from "./mission-draft";
import { statementText } from "../../domain/mission/mission-phrase";
import { useRows } from "../../domain/station/useRows";
import { hasStationWords } from "../../locales/station-words";
import styles from "./DraftCard.module.css";

/** Sentences that stand in the card; the mission has them all. */
const SENTENCES = 8;

/** A draft that the agent has made, beside the words: what it means, what is wrong with it, and where it is. */
export function DraftCard({ draft }: { draft: DraftedMission }) {
  const { mission_id, title, ok, notes, problems } = draft;
  const meaning = useDraftMeaning(draft);
  const more = meaning.length - SENTENCES;
  return (
    <section className={styles.card} aria-label={t("draft_card.label", { title })} data-testid={`draft-${mission_id}`}>
      <header className={styles.head}>
        <h3 className={styles.title}>{title}</h3>
        <span className={styles.state}>{t("draft_card.draft")}</span>
      </header>
      {meaning.length > 0 && (
        <ul className={styles.list} data-testid="draft-meaning">
          {meaning.slice(0, SENTENCES).map((sentence, at) => (
            <li key={at}>{sentence}</li>
          ))}
          {more > 0 && <li className={styles.quiet}>{t("draft_card.more", { count: more })}</li>}
        </ul>
      )}
      {notes.length > 0 && (
        <ul className={styles.list} data-testid="draft-notes">
          {notes.map((note, at) => (
            <li key={at}>{note}</li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <ul className={styles.problems} data-testid="draft-problems">
          {problems.map(({ line, message, severity }, at) => (
            <li key={at} data-severity={severity}>
              {t("draft_card.problem", { line, message })}
            </li>
          ))}
        </ul>
      )}
      <footer className={styles.foot}>
        <Link className={styles.open} href={`/missions/${mission_id}`} data-testid={`draft-open-${mission_id}`}>
          {t("draft_card.open")}
        </Link>
        <span className={styles.quiet}>{t(ok ? "draft_card.inactive" : "draft_card.has_errors")}</span>
      </footer>
    </section>
  );
}

/**
 * The meaning of a draft in the window's language. Its call answers an agent, in English; another language asks the station
 * for the same text as data, and English stands until that is there.
 */
function useDraftMeaning({ mission_id, hash, meaning }: DraftedMission): readonly string[] {
  const wanted = hasStationWords() && hash !== null && meaning.length > 0;
  const { data } = useRows("missions", "get_mission", { mission_id, version: hash }, wanted);
  const statements = data?.rows.hash === hash ? data?.rows.statements : undefined;
  return wanted ? meaning.map((sentence, at) => statementText(statements?.[at], sentence)) : meaning;
}
