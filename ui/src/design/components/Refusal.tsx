import type { HostError } from "../../host/host";
import { errorSaid, t } from "../../locales/i18n";
import { CodeWords } from "./CodeWords";
import styles from "./Refusal.module.css";

/** The station's refusal or the failed transport, beside the control that made the request. */
export function Refusal({ error }: { error: HostError | null }) {
  if (!error) return null;
  const { text, more } = errorSaid(error.code, error.message, error.details);
  return (
    <p className={styles.refusal} role="status">
      <CodeWords text={text} /> {more !== null && <small lang="en">{more} </small>}
      <code>{t("common.code", { code: error.code })}</code>
    </p>
  );
}
