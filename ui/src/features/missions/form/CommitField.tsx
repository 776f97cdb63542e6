import { type KeyboardEvent, useId, useState } from "react";
import fields from "../../../design/fields/fields.module.css";
import styles from "./MissionForm.module.css";

type CommitFieldProps = {
  label: string;
  value: string;
  problem: string | null;
  disabled: boolean;
  testId: string;
  /** The label is read and not shown: its place says it. */
  isLabelHidden?: boolean;
  isCode?: boolean;
  placeholder?: string | undefined;
  /** The reason for which a typed text is not saved, which then stays in the field; null if it is. */
  refuse?: (typed: string) => string | null;
  onCommit: (value: string) => void;
};

/** A text that is saved by Enter, or by leaving it, and put back by Esc. */
export function CommitField({
  label,
  value,
  problem,
  disabled,
  testId,
  isLabelHidden = false,
  isCode = false,
  placeholder,
  refuse,
  onCommit,
}: CommitFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [refused, setRefused] = useState<{ reason: string; over: string } | null>(null);
  const type = (text: string | null) => {
    setTyped(text);
    setRefused(null);
  };
  const commit = () => {
    const reason = typed === null ? null : (refuse?.(typed) ?? null);
    if (reason !== null) return setRefused({ reason, over: value });
    if (typed !== null && typed !== value) onCommit(typed);
    type(null);
  };
  // What was refused is no longer about this field once the file has another value here.
  if (refused !== null && refused.over !== value) type(null);
  const wrong = refused?.reason ?? problem;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") commit();
    if (event.key === "Escape" && typed !== null) {
      event.stopPropagation();
      type(null);
    }
  };
  return (
    <div className={`${fields.field} ${styles.grows}`}>
      {!isLabelHidden && <label htmlFor={id}>{label}</label>}
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={!isCode}
        className={isCode ? `${fields.text} ${styles.code}` : fields.text}
        data-testid={testId}
        aria-label={isLabelHidden ? label : undefined}
        aria-invalid={wrong !== null}
        aria-describedby={wrong === null ? undefined : `${id}-problem`}
        placeholder={placeholder}
        disabled={disabled}
        value={typed ?? value}
        onChange={(event) => type(event.target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      {wrong !== null && (
        <p id={`${id}-problem`} className={fields.problem} data-testid={`${testId}-problem`}>
          {wrong}
        </p>
      )}
    </div>
  );
}
