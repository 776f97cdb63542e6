import { useLive } from "../domain/station/useLive";
import { t } from "../locales/i18n";
import styles from "./ModeMark.module.css";

/** LIVE or SIM, unmistakably (U-106). */
export function ModeMark() {
  const mode = useLive((store) => store.mode);
  if (mode === null) return null;
  return (
    <p className={styles.mark} data-testid="mode" data-mode={mode}>
      <strong>{t(`mode.${mode}`)}</strong>
      {mode === "sim" && <span className={styles.what}>{t("mode.sim_what")}</span>}
    </p>
  );
}
