import { useId } from "react";
import styles from "./CodeField.module.css";
import fields from "./fields.module.css";
import { pointAt } from "./point-at";
import type { FieldProblem } from "./refusal";

type CodeFieldProps = {
  label: string;
  value: string;
  problem: FieldProblem | null;
  onChange: (value: string) => void;
  testId: string;
  rows?: number;
  /** Line breaks mean something. */
  lines?: boolean;
  /** Shown while nothing is written. */
  example?: string;
};

/** Text that a program reads: fixed width, and a fault is pointed at where it is. */
export function CodeField({
  label,
  value,
  problem,
  onChange,
  testId,
  rows = 1,
  lines = false,
  example,
}: CodeFieldProps) {
  const id = useId();
  const pointed = problem?.column === null || problem === null ? null : pointAt(value, problem.column);
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        className={`${fields.text} ${styles.code}`}
        data-line={rows === 1}
        data-testid={testId}
        placeholder={example}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => onChange(lines ? event.target.value : event.target.value.replaceAll("\n", " "))}
      />
      {problem !== null && (
        <div id={`${id}-problem`} className={styles.problem}>
          {pointed !== null && (
            <pre className={styles.pointed} aria-hidden="true">
              {pointed}
            </pre>
          )}
          <p className={styles.message}>{problem.message}</p>
        </div>
      )}
    </div>
  );
}
