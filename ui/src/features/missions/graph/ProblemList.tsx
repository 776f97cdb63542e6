import type { MissionNode } from "../../../generated/bindings/MissionNode";
import type { MissionProblem } from "../../../generated/bindings/MissionProblem";
import { Keys } from "../../../design/components/Keys";
import { useHints } from "../../../design/shortcuts/keys-in-force";
import { problemLine, problemWords } from "../../../domain/mission/problem-words";
import { t } from "../../../locales/i18n";
import { CodeWords } from "../../../design/components/CodeWords";
import { SeverityMark } from "../SeverityMark";
import styles from "./ProblemList.module.css";

/** A problem of one of the files. One that keeps the file from being read at all has no place. */
export type FileProblem = { id: string; problem: MissionProblem };

/** The problems of all files, errors first. */
export function problemsOf(nodes: readonly MissionNode[]): FileProblem[] {
  const all = nodes.flatMap(({ id, problems }) => problems.map((problem) => ({ id, problem })));
  const weight = ({ problem }: FileProblem) => (problem.severity === "error" ? 0 : 1);
  return all.toSorted((a, b) => weight(a) - weight(b));
}

/** The fault on one line; in another language than the station's its own words stand behind it. */
function Words({ problem }: { problem: MissionProblem }) {
  const { short, remedy, detail, detailLanguage } = problemWords(problem);
  return (
    <span className={styles.words}>
      <CodeWords text={remedy === null ? short : `${short} ${remedy}`} />
      {detailLanguage !== undefined && (
        <span className={styles.muted} lang={detailLanguage}>
          {" "}
          <CodeWords text={detail} />
        </span>
      )}
    </span>
  );
}

/** A thousand files may have twenty thousand problems, which would be drawn again with every change of one of them. */
const LISTED_MAX = 200;

type ProblemListProps = {
  problems: readonly FileProblem[];
  /** The one that was gone to last. */
  current: number | null;
  onGo: (place: number) => void;
};

/** Problems of all missions, each a way to its place (ME-09). */
export function ProblemList({ problems, current, onGo }: ProblemListProps) {
  const hints = useHints();
  const errors = problems.filter(({ problem }) => problem.severity === "error").length;
  const warnings = problems.length - errors;
  const counted = [
    ...(errors > 0 ? [t("missions.errors", { count: errors })] : []),
    ...(warnings > 0 ? [t("missions.warnings", { count: warnings })] : []),
  ];
  return (
    <section className={styles.panel} aria-label={t("missions.problems")} data-testid="problem-list">
      <header className={styles.head}>
        <h2>{t("missions.problems")}</h2>
        <span className={styles.muted}>{counted.length === 0 ? t("missions.no_problem") : counted.join(", ")}</span>
        {problems.length > 0 && (
          <span className={styles.keys}>
            <Keys>{hints.of("next_problem")}</Keys> {t("mission_graph.next_problem")}
          </span>
        )}
      </header>
      {problems.length > 0 && (
        <ul className={styles.list}>
          {problems.slice(0, LISTED_MAX).map(({ id, problem }, place) => (
            <li key={place}>
              <button
                type="button"
                className={styles.row}
                aria-current={place === current ? "true" : undefined}
                title={problemLine(problem)}
                onClick={() => onGo(place)}
              >
                <SeverityMark severity={problem.severity} />
                <Words problem={problem} />
                <span className={styles.place}>
                  {id} {t("missions.at", { line: problem.line, column: problem.column })}
                </span>
              </button>
            </li>
          ))}
          {problems.length > LISTED_MAX && (
            <li className={styles.muted}>{t("missions.unlisted", { count: problems.length - LISTED_MAX })}</li>
          )}
        </ul>
      )}
    </section>
  );
}
