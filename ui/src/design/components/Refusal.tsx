import type { HostError } from "../../host/host";
import { errorSentence, t } from "../../locales/i18n";
import styles from "./Refusal.module.css";

/** The station's refusal or the failed transport, beside the control that made the request. */
export function Refusal({ error }: { error: HostError | null }) {
  if (!error) return null;
  return (
    <p className={styles.refusal} role="status">
      {errorSentence(error.code, error.message)} <code>{t("common.code", { code: error.code })}</code>
    </p>
  );
}
