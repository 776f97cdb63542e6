import { X } from "lucide-react";
import { IconButton } from "../../../design/components/IconButton";
import { t } from "../../../locales/i18n";
import styles from "./MissionForm.module.css";
import { type Settling, useSent } from "./settling";

type ChipListProps = {
  label: string;
  values: readonly string[];
  /** The names that can be added. */
  options: readonly string[];
  problem: string | null;
  disabled: boolean;
  testId: string;
  settling: Settling;
  help?: string | undefined;
  wordOf?: (value: string) => string;
  /** It is a row of a section that has a heading. */
  isInner?: boolean;
  onAdd: (index: number, value: string) => void;
  onRemove: (index: number) => void;
};

/** A few names, each of which can be taken out, and a list of those that can be added. */
export function ChipList(props: ChipListProps) {
  const { label, values: inFile, options, problem, disabled, testId, help, wordOf = String, isInner = false } = props;
  // As it was last sent: edits are made one after the other.
  const { value: values, send } = useSent(inFile, props.settling);
  const onAdd = (value: string) => {
    send([...values, value]);
    props.onAdd(values.length, value);
  };
  const onRemove = (index: number) => {
    // The next chip comes under the pointer at once: a double click takes one of them only.
    if (values.length < inFile.length) return;
    send(values.toSpliced(index, 1));
    props.onRemove(index);
  };
  const left = options.filter((option) => !values.includes(option));
  return (
    <section aria-label={label} className={styles.section} data-testid={testId}>
      {isInner ? <span className={styles.title}>{label}</span> : <h4 className={styles.title}>{label}</h4>}
      <div className={styles.chips}>
        {values.map((value, index) => (
          // A file may name the same thing twice, which is one of its problems.
          <span key={`${index} ${value}`} className={styles.chip}>
            {wordOf(value)}
            <IconButton
              label={t("mission_form.remove", { entry: wordOf(value) })}
              Icon={X}
              disabled={disabled}
              testId={`${testId}-${value}-remove`}
              onClick={() => onRemove(index)}
            />
          </span>
        ))}
        {left.length > 0 && (
          <select
            className={styles.add}
            aria-label={t("mission_form.add_to", { list: label })}
            data-testid={`${testId}-add`}
            // This select adds an entry; it never shows one as chosen.
            value=""
            disabled={disabled}
            onChange={(event) => onAdd(event.target.value)}
          >
            <option value="">{t("mission_form.add")}</option>
            {left.map((option) => (
              <option key={option} value={option}>
                {wordOf(option)}
              </option>
            ))}
          </select>
        )}
        {values.length === 0 && left.length === 0 && <span className={styles.hint}>{t("mission_form.nothing")}</span>}
      </div>
      {help !== undefined && <p className={styles.hint}>{help}</p>}
      {problem !== null && <p className={styles.problem}>{problem}</p>}
    </section>
  );
}
