import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { problemWords } from "../../domain/mission/problem-words";
import { t } from "../../locales/i18n";
import { CodeWords } from "../../design/components/CodeWords";
import styles from "./Missions.module.css";

type MissionProblemsProps = {
  problems: readonly MissionProblem[];
  unlisted: number;
  /** Shows a place of the text. */
  onJump: (problem: MissionProblem) => void;
};

/** The problems of a text, each with its place, which is a way there (ME-09). */
export function MissionProblems({ problems, unlisted, onJump }: MissionProblemsProps) {
  return (
    <div className={styles.line} role="note" data-testid="mission-problems">
      <strong>{t("missions.problems")}</strong>
      <ul className={styles.list}>
        {problems.map((problem, place) => (
          <li key={place} data-severity={problem.severity}>
            <button type="button" className={styles.place} onClick={() => onJump(problem)}>
              {t("missions.at", { line: problem.line, column: problem.column })}
            </button>{" "}
            <strong>{t(`missions.severity_${problem.severity}`)}</strong> <Words problem={problem} />
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p className={styles.hint}>{t("missions.unlisted", { count: unlisted })}</p>}
    </div>
  );
}

/** The words of a problem: what is wrong, what to write, and what stands in the files of other missions. */
export function Words({ problem }: { problem: MissionProblem }) {
  return (
    <>
      {problem.key !== null && <code>{problem.key}</code>} <CodeWords text={problemWords(problem).short} />{" "}
      <Detail problem={problem} />
    </>
  );
}

/** Everything but the sentence that says what is wrong. */
export function Detail({ problem }: { problem: MissionProblem }) {
  const { detail, detailLanguage } = problemWords(problem);
  const { related, code } = problem;
  return (
    <>
      <span lang={detailLanguage}>
        <CodeWords text={detail} />
      </span>{" "}
      <code className={styles.hint}>{code}</code>
      {related.map((place, at) => (
        <span key={at} className={styles.hint}>
          {" "}
          <CodeWords text={t("missions.related", place)} />
        </span>
      ))}
    </>
  );
}
