import { useId } from "react";
import styles from "./fields.module.css";

type SelectFieldProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly { value: Value; text: string }[];
  problem: string | null;
  onChange: (value: Value) => void;
};

/** One of a list. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  problem,
  onChange,
}: SelectFieldProps<Value>) {
  const id = useId();
  const isOffered = options.some((option) => option.value === value);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.text}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {/* Without it the browser would show the first option, which nobody has chosen. */}
        {!isOffered && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {problem !== null && (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
