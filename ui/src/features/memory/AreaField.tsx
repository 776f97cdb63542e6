import { useId } from "react";
import fields from "../../design/fields/fields.module.css";
import styles from "./Memory.module.css";

/** As long as a note may be. */
const CHARS_MAX = 2_000;
const LINES = 4;

type AreaFieldProps = { label: string; value: string; testId: string; onChange: (text: string) => void };

/** Several lines of text. */
export function AreaField({ label, value, testId, onChange }: AreaFieldProps) {
  const id = useId();
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={LINES}
        maxLength={CHARS_MAX}
        className={styles.area}
        data-testid={testId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
