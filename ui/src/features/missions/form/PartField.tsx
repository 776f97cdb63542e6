import { t } from "../../../locales/i18n";
import { Choice } from "./Choice";
import { CommitField } from "./CommitField";
import type { Part } from "./entry-kinds";
import { jsonOf } from "./form-entries";
import styles from "./MissionForm.module.css";

type PartFieldProps = {
  part: Part;
  value: string;
  /** Its label stands above it; else only what may be left out says what it is, while it is empty. */
  isLabelled: boolean;
  disabled: boolean;
  suggestions: readonly string[] | undefined;
  testId: string;
  onCommit: (value: string) => void;
};

/** One part of an entry of a list. */
export function PartField({ part, value, isLabelled, disabled, suggestions, testId, onCommit }: PartFieldProps) {
  const { name, is, optional = false, options = [] } = part;
  const labels: Record<string, string> = t("mission_form.parts", { returnObjects: true });
  const words: Record<string, string> = t("mission_form.choices", { returnObjects: true });
  const label = labels[name] ?? name;
  if (is === "choice") {
    return (
      <div className={styles.whole}>
        <Choice
          label={label}
          value={value === "" ? (options[0] ?? "") : value}
          options={options}
          wordOf={(option) => words[`${name}_${option}`] ?? option}
          testId={testId}
          disabled={disabled}
          onChange={onCommit}
        />
      </div>
    );
  }
  const field = (
    <CommitField
      label={label}
      isLabelHidden={!isLabelled}
      isCode={is !== "text"}
      value={value}
      placeholder={isLabelled ? emptyWords(part) : optional ? label : undefined}
      problem={null}
      disabled={disabled}
      testId={testId}
      suggestions={suggestions}
      {...(is === "json" ? { refuse: (typed: string) => jsonRefusal(typed, optional) } : {})}
      onCommit={onCommit}
    />
  );
  if (!isLabelled) return field;
  return <div className={is === "number" ? styles.half : styles.whole}>{field}</div>;
}

/** The words in the field while it is empty. */
function emptyWords({ unset, example }: Part): string | undefined {
  if (unset !== undefined) return t("mission_form.unset", { value: unset });
  return example === undefined ? undefined : t("mission_form.example", { value: example });
}

/** The reason for which JSON is not saved. */
function jsonRefusal(typed: string, isOptional: boolean): string | null {
  if (isOptional && typed.trim() === "") return null;
  return jsonOf(typed) === undefined ? t("mission_form.no_json") : null;
}
