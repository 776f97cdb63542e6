import { useId } from "react";
import type { MissionKey } from "../../../generated/bindings/MissionKey";
import { fieldText, numberOrText } from "../../../design/fields/decimal";
import { SelectField } from "../../../design/fields/SelectField";
import type { MissionEdit } from "../graph/file-writes";
import { CommitField } from "./CommitField";
import { valueOfText } from "./form-entries";
import styles from "./MissionForm.module.css";
import { type Settling, useSent } from "./settling";

/** One key of a file; `of` is missing where the file does not have it. */
export type KeyProps = {
  name: string;
  of: MissionKey | undefined;
  disabled: boolean;
  save: (...edits: MissionEdit[]) => void;
};

type LineProps = KeyProps & {
  label: string;
  placeholder?: string | undefined;
  help?: string | undefined;
  suggestions?: readonly string[] | undefined;
  isCode?: boolean;
  /** The number that is typed is written as one. */
  isNumber?: boolean;
};

/** A key whose value is one line. An empty one is taken out of the file. */
export function LineKey({ name, of, disabled, save, isNumber = false, ...field }: LineProps) {
  return (
    <CommitField
      {...field}
      value={of === undefined ? "" : lineOf(of)}
      problem={of?.problem ?? null}
      disabled={disabled}
      testId={`form-${name}`}
      onCommit={(typed) => {
        const value = typed.trim();
        if (value === "") save({ remove: { key: name } });
        else save({ set: { key: name, value: isNumber ? numberOrText(value) : value } });
      }}
    />
  );
}

function lineOf({ value, text }: MissionKey): string {
  if (typeof value === "number") return fieldText(value);
  return typeof value === "string" ? value : text;
}

type PickProps = KeyProps & {
  label: string;
  help: string;
  /** The value that a file without the key has; empty where choosing it takes the key out of the file. */
  unset: string;
  options: readonly { value: string; text: string }[];
  settling: Settling;
};

/** A key whose value is one of a few. */
export function PickKey({ name, of, disabled, save, label, help, unset, options, settling }: PickProps) {
  const id = useId();
  const inFile = of === undefined || of.value === null ? unset : lineOf(of);
  const { value, send } = useSent(inFile, settling);
  const onChange = (next: string) => {
    send(next);
    save(next === "" ? { remove: { key: name } } : { set: { key: name, value: next } });
  };
  return (
    <fieldset className={styles.plain} disabled={disabled} aria-describedby={id} data-testid={`form-${name}`}>
      <SelectField label={label} value={value} problem={of?.problem ?? null} options={options} onChange={onChange} />
      <p id={id} className={styles.hint}>
        {help}
      </p>
    </fieldset>
  );
}

/** A key whose value is a list or a mapping, or its text where it is neither. */
export function ValueKey<Value>({
  name,
  of,
  disabled,
  save,
  label,
  value,
  children,
}: KeyProps & { label: string; value: Value | null; children: (value: Value) => React.ReactNode }) {
  if (value !== null) return children(value);
  return (
    <CommitField
      label={label}
      isCode
      value={of?.text ?? ""}
      problem={of?.problem ?? null}
      disabled={disabled}
      testId={`form-${name}`}
      onCommit={(text) => save({ set: { key: name, value: valueOfText(text) } })}
    />
  );
}

/** The entries of a key; none of one that is missing, null if its value is no list. */
export function listOf(of: MissionKey | undefined): readonly unknown[] | null {
  const value = of?.value ?? [];
  return Array.isArray(value) ? value : null;
}
