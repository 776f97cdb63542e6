import { useLive } from "../domain/station/useLive";
import { useOperation } from "../domain/station/useOperation";
import { t } from "../locales/i18n";
import styles from "./StatusBar.module.css";
import { useTakeLock } from "./useTakeLock";

/** Lets this desk only look and stop, before somebody leaves it. */
export function LockButton() {
  const open = useLive(
    ({ session, time }) => session !== null && session.role !== "viewer" && !session.locked && !time.lost,
  );
  const lock = useOperation("lock_screen");
  const take = useTakeLock();
  if (!open) return null;
  return (
    <button
      type="button"
      className={styles.act}
      data-testid="lock"
      disabled={lock.pending}
      onClick={() => lock.run({}, take(true))}
    >
      {lock.pending ? t("hold.sending") : t("lock.lock")}
    </button>
  );
}
