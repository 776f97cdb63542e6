import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import styles from "./Outdated.module.css";
import type { BaseRow } from "./useBaseRow";

/** Says that somebody changed the set since the form was opened, and compares with what is in force now (U-1610). */
export function Outdated({ base: { base, present, outdated, compare } }: { base: BaseRow }) {
  if (!outdated) return null;
  if (!present) {
    return (
      <p className={styles.bar} role="status">
        {t("limit_form.gone")}
      </p>
    );
  }
  return (
    <p className={styles.bar} role="status">
      {t("limit_form.changed_meanwhile", { version: present.version, before: base.version })}
      <Button onClick={compare}>{t("limit_form.compare")}</Button>
    </p>
  );
}
