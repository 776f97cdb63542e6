import type { Ref } from "react";
import styles from "./fields.module.css";

type CheckFieldProps = {
  label: string;
  checked: boolean;
  disabled?: boolean;
  testId?: string;
  ref?: Ref<HTMLInputElement>;
  onChange: (checked: boolean) => void;
};

/** A box to tick, with its words beside it. */
export function CheckField({ label, checked, disabled, testId, ref, onChange }: CheckFieldProps) {
  return (
    <label className={styles.check}>
      <input
        ref={ref}
        type="checkbox"
        data-testid={testId}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
