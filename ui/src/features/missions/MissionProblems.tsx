import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { problemWords } from "../../domain/mission/problem-words";
import { t } from "../../locales/i18n";
import { CodeWords } from "../../design/components/CodeWords";
import styles from "./MissionProblems.module.css";
import { SeverityMark } from "./SeverityMark";

type MissionProblemsProps = {
  problems: readonly MissionProblem[];
  unlisted: number;
  /** Shows a place of the text. */
  onJump: (problem: MissionProblem) => void;
};

/** The problems of a text, each with its place, which is a way there (ME-09). */
export function MissionProblems({ problems, unlisted, onJump }: MissionProblemsProps) {
  return (
    <section className={styles.problems} aria-label={t("missions.problems")} data-testid="mission-problems">
      <h3>{t("missions.problems")}</h3>
      <ul className={styles.list}>
        {problems.map((problem, place) => (
          // Two problems can be identical, and a row keeps no state, so the index will do.
          <li key={place} className={styles.problem}>
            <SeverityMark severity={problem.severity} />
            <div>
              <p>
                <CodeWords text={problemWords(problem).short} />
              </p>
              <p className={styles.detail}>
                {problem.key !== null && <code>{problem.key}</code>} <Detail problem={problem} />
              </p>
            </div>
            <button type="button" className={styles.place} onClick={() => onJump(problem)}>
              {t("missions.at", { line: problem.line, column: problem.column })}
            </button>
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p className={styles.more}>{t("missions.unlisted", { count: unlisted })}</p>}
    </section>
  );
}

/** Everything but the sentence that says what is wrong. */
export function Detail({ problem }: { problem: MissionProblem }) {
  const { remedy, detail, detailLanguage } = problemWords(problem);
  const { related, code } = problem;
  return (
    <>
      {remedy !== null && `${remedy} `}
      <span lang={detailLanguage}>
        <CodeWords text={detail} />
      </span>{" "}
      <code className={styles.detail}>{code}</code>
      {related.map((place, at) => (
        <span key={at} className={styles.detail}>
          {" "}
          <CodeWords text={t("missions.related", place)} />
        </span>
      ))}
    </>
  );
}
