import { type Ref, useId } from "react";
import fields from "./fields.module.css";

type SecretFieldProps = {
  label: string;
  ref: Ref<HTMLInputElement>;
  testId: string;
  problem?: string | null;
  onChange: () => void;
};

/** The browser's own field: no state of the window ever holds what is written in it. */
export function SecretField({ label, ref, testId, problem = null, onChange }: SecretFieldProps) {
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
        data-testid={testId}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={onChange}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className={fields.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
