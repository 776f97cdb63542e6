import { t } from "../../locales/i18n";
import styles from "./fields.module.css";

type FilterFieldProps = { label: string; value: string; testId?: string; onChange: (value: string) => void };

/** Words that the rows of a list are narrowed to; the key for searching leads to it. */
export function FilterField({ label, value, testId, onChange }: FilterFieldProps) {
  return (
    <input
      type="search"
      data-search
      data-testid={testId}
      className={styles.text}
      placeholder={t("world.filter")}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
