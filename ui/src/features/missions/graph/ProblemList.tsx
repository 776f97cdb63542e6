import type { MissionProblem } from "../../../generated/bindings/MissionProblem";
import type { MissionSeverity } from "../../../generated/bindings/MissionSeverity";
import { Button } from "../../../design/components/Button";
import { Keys } from "../../../design/components/Keys";
import { useHints } from "../../../design/shortcuts/keys-in-force";
import { problemLine, problemWords } from "../../../domain/mission/problem-words";
import { t } from "../../../locales/i18n";
import { CodeWords } from "../../../design/components/CodeWords";
import { SeverityMark } from "../SeverityMark";
import { ALL_PROBLEMS, choicesOf } from "./problem-filter";
import styles from "./ProblemList.module.css";
import type { Problems } from "./useProblems";

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

/** Problems of all missions, each a way to its place (ME-09). */
export function ProblemList({ problems }: { problems: Problems }) {
  const { all, listed, filter } = problems;
  const hints = useHints();
  const isFiltered = Object.values(filter).some((wanted) => wanted !== "");
  const errors = all.filter(({ problem }) => problem.severity === "error").length;
  const warnings = all.length - errors;
  const counted = [
    ...(errors > 0 ? [t("missions.errors", { count: errors })] : []),
    ...(warnings > 0 ? [t("missions.warnings", { count: warnings })] : []),
  ];
  return (
    <section className={styles.panel} aria-label={t("missions.problems")} data-testid="problem-list">
      <header className={styles.head}>
        <h2>{t("missions.problems")}</h2>
        <span className={styles.muted}>{counted.length === 0 ? t("missions.no_problem") : counted.join(", ")}</span>
        {/* What has been mended leaves a filter, which must not stay without a way out. */}
        {(all.length > 1 || isFiltered) && <Filter problems={problems} isFiltered={isFiltered} />}
        {listed.length > 0 && (
          <span className={styles.keys}>
            <Keys>{hints.of("next_problem")}</Keys> {t("mission_graph.next_problem")}
          </span>
        )}
      </header>
      {isFiltered && listed.length === 0 && <p className={styles.none}>{t("problem_filter.none")}</p>}
      {listed.length > 0 && <List problems={problems} />}
    </section>
  );
}

function List({ problems: { listed, current, go } }: { problems: Problems }) {
  return (
    <ul className={styles.list}>
      {listed.slice(0, LISTED_MAX).map(({ id, problem }, place) => (
        <li key={place}>
          <button
            type="button"
            className={styles.row}
            aria-current={place === current ? "true" : undefined}
            title={problemLine(problem)}
            onClick={() => go(place)}
          >
            <SeverityMark severity={problem.severity} />
            <Words problem={problem} />
            <span className={styles.place}>
              {id} {t("missions.at", { line: problem.line, column: problem.column })}
            </span>
          </button>
        </li>
      ))}
      {listed.length > LISTED_MAX && (
        <li className={styles.muted}>{t("missions.unlisted", { count: listed.length - LISTED_MAX })}</li>
      )}
    </ul>
  );
}

type FilterProps = { problems: Problems; isFiltered: boolean };

/** Narrows the list to one mission, one severity, one code. */
function Filter({ problems: { all, listed, filter, setFilter }, isFiltered }: FilterProps) {
  const { missions, codes } = choicesOf(all);
  const severities: readonly MissionSeverity[] = ["error", "warning"];
  return (
    <div className={styles.filter} role="group" aria-label={t("problem_filter.label")}>
      <Wanted
        part="mission"
        value={filter.mission}
        options={missions}
        onChange={(mission) => setFilter({ ...filter, mission })}
      />
      <Wanted
        part="severity"
        value={filter.severity}
        options={severities}
        wordOf={(one) => t(`problem_filter.${one}`)}
        onChange={(severity) => setFilter({ ...filter, severity })}
      />
      <Wanted part="code" value={filter.code} options={codes} onChange={(code) => setFilter({ ...filter, code })} />
      <span className={styles.muted} role="status">
        {isFiltered && t("problem_filter.shown", { shown: listed.length, all: all.length })}
      </span>
      {isFiltered && (
        <Button size="row" look="quiet" data-testid="problems-all" onClick={() => setFilter(ALL_PROBLEMS)}>
          {t("problem_filter.all")}
        </Button>
      )}
    </div>
  );
}

type WantedProps<Value extends string> = {
  part: "mission" | "severity" | "code";
  value: Value | "";
  options: readonly Value[];
  wordOf?: (value: Value) => string;
  onChange: (value: Value | "") => void;
};

function Wanted<Value extends string>({ part, value, options, wordOf, onChange }: WantedProps<Value>) {
  // The last problem of it may just have been mended: the filter says on what it is set.
  const offered = value === "" || options.includes(value) ? options : [value, ...options];
  return (
    <select
      className={styles.wanted}
      data-testid={`problems-${part}`}
      aria-label={t(`problem_filter.${part}`)}
      value={value}
      onChange={(event) => onChange(offered.find((one) => one === event.target.value) ?? "")}
    >
      <option value="">{t(`problem_filter.any_${part}`)}</option>
      {offered.map((one) => (
        <option key={one} value={one}>
          {wordOf?.(one) ?? one}
        </option>
      ))}
    </select>
  );
}
