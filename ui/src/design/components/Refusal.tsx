import type { HostError } from "../../host/host";
import { errorSentence, t } from "../../locales/i18n";
import styles from "./Refusal.module.css";

/** Why the station did not do what was asked, beside the control that asked. */
export function Refusal({ error }: { error: HostError | null }) {
  if (!error) return null;
  return (
    <p className={styles.refusal} role="status">
      {errorSentence(error.code, error.message)} <code>{t("common.code", { code: error.code })}</code>
    </p>
  );
}
