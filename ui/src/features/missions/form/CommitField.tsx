import { type KeyboardEvent, useId } from "react";
import fields from "../../../design/fields/fields.module.css";
import styles from "./MissionForm.module.css";
import { useTyped } from "./useTyped";

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
  /** One line that says what the value means. */
  help?: string | undefined;
  /** Values that are offered while typing; others may be typed as well. */
  suggestions?: readonly string[] | undefined;
  /** The reason for which a typed text is not saved, which then stays in the field; null if it is. */
  refuse?: (typed: string) => string | null;
  onCommit: (value: string) => void;
};

const NO_SUGGESTIONS: readonly string[] = [];

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
  help,
  suggestions = NO_SUGGESTIONS,
  refuse,
  onCommit,
}: CommitFieldProps) {
  const id = useId();
  const { shown, wrong, type, commit, drop } = useTyped({ value, problem, refuse, onCommit });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") commit(true);
    if (event.key === "Escape" && drop()) event.stopPropagation();
  };
  const about = [help === undefined ? "" : `${id}-help`, wrong === null ? "" : `${id}-problem`].join(" ").trim();
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
        aria-describedby={about === "" ? undefined : about}
        list={suggestions.length === 0 ? undefined : `${id}-suggestions`}
        placeholder={placeholder}
        disabled={disabled}
        value={shown}
        onChange={(event) => type(event.target.value)}
        onBlur={() => commit(false)}
        onKeyDown={onKeyDown}
      />
      {suggestions.length > 0 && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className={styles.hint}>
          {help}
        </p>
      )}
      {wrong !== null && (
        <p id={`${id}-problem`} className={fields.problem} data-testid={`${testId}-problem`}>
          {wrong}
        </p>
      )}
    </div>
  );
}
