import { useId } from "react";
import styles from "./fields.module.css";

type TextFieldProps = {
  label: string;
  value: string;
  problem: string | null;
  onChange: (value: string) => void;
  testId: string;
};

/** One line of text. */
export function TextField({ label, value, problem, onChange, testId }: TextFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        className={styles.text}
        data-testid={testId}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
