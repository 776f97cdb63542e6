import { t } from "../../../locales/i18n";
import styles from "./MissionForm.module.css";

type ChoiceProps = {
  label: string;
  value: string;
  options: readonly string[];
  wordOf?: (value: string) => string;
  testId: string;
  disabled: boolean;
  onChange: (value: string) => void;
};

function asItIs(word: string): string {
  return word;
}

/** A choice beside its label; what the file has is shown even where the station does not know it. */
export function Choice({ label, value, options, wordOf = asItIs, testId, disabled, onChange }: ChoiceProps) {
  const all = value === "" || options.includes(value) ? options : [value, ...options];
  return (
    <label className={styles.choice}>
      <span>{label}</span>
      <select
        className={styles.kind}
        data-testid={testId}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      >
        {value === "" && <option value="">{t("motion_fields.choose")}</option>}
        {all.map((one) => (
          <option key={one} value={one}>
            {wordOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
