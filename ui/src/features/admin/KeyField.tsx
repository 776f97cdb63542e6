import { type Ref, useId } from "react";
import fields from "../../design/fields/fields.module.css";

type KeyFieldProps = { label: string; ref: Ref<HTMLInputElement>; onChange: () => void };

/** The browser's own field: no state of the window ever holds what is written in it. */
export function KeyField({ label, ref, onChange }: KeyFieldProps) {
  const id = useId();
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={ref}
        id={id}
        type="password"
        autoComplete="off"
        spellCheck={false}
        className={fields.text}
        data-testid="key-value"
        onChange={onChange}
      />
    </div>
  );
}
