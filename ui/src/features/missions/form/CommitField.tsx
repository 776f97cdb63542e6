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
  onCommit,
}: CommitFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const commit = () => {
    if (typed !== null && typed !== value) onCommit(typed);
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") commit();
    if (event.key === "Escape" && typed !== null) {
      event.stopPropagation();
      setTyped(null);
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
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        placeholder={placeholder}
        disabled={disabled}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className={fields.problem} data-testid={`${testId}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
