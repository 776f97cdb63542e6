import { BareButton } from "../design/components/BareButton";
import { say } from "../design/components/toast-queue";
import { refusalText } from "../design/fields/refusal";
import type { AdminGranted } from "../generated/bindings/AdminGranted";
import { useLive } from "../domain/station/useLive";
import { useOperation } from "../domain/station/useOperation";
import { t } from "../locales/i18n";
import styles from "./StatusBar.module.css";
import { focusScreen } from "./focus";
import { useTakeLock } from "./useTakeLock";

/** Lets this desk only look and stop, before somebody leaves it. */
export function LockButton() {
  const open = useLive(
    ({ session, time }) => session !== null && session.role !== "viewer" && !session.locked && !time.lost,
  );
  const lock = useOperation("lock_screen");
  const take = useTakeLock();
  if (!open) return null;
  const onLocked = (answer: AdminGranted) => {
    take(true)(answer);
    // The button goes, and the focus would go with it.
    focusScreen();
  };
  return (
    <BareButton
      className={styles.act}
      data-testid="lock"
      disabled={lock.pending}
      onClick={() =>
        // Said aloud: whoever locks the desk is about to leave it.
        lock.run({}, onLocked, (error) => say({ text: refusalText(error), isRefusal: true }))
      }
    >
      {lock.pending ? t("hold.sending") : t("lock.lock")}
    </BareButton>
  );
}
