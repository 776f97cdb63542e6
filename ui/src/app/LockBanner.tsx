import { Button } from "../design/components/Button";
import { Refusal } from "../design/components/Refusal";
import { useLive } from "../domain/station/useLive";
import { useOperation } from "../domain/station/useOperation";
import { t } from "../locales/i18n";
import type { AdminGranted } from "../generated/bindings/AdminGranted";
import styles from "./Banner.module.css";
import { focusScreen } from "./focus";
import { useTakeLock } from "./useTakeLock";

/** The desk is locked: whoever passes by may look and stop (U-1703). */
export function LockBanner() {
  const locked = useLive((store) => store.session?.locked === true);
  const lost = useLive((store) => store.time.lost);
  const unlock = useOperation("unlock_screen");
  const take = useTakeLock();
  if (!locked) return null;
  const onUnlocked = (answer: AdminGranted) => {
    take(false)(answer);
    // The button goes, and the focus would go with it.
    focusScreen();
  };
  return (
    <div className={`${styles.banner} ${styles.acts}`} data-testid="locked">
      <span>
        <strong>{t("lock.locked")}</strong> {t("lock.means")}
      </span>
      <Button data-testid="unlock" disabled={lost || unlock.pending} onClick={() => unlock.run({}, onUnlocked)}>
        {unlock.pending ? t("hold.sending") : t("lock.unlock")}
      </Button>
      <Refusal error={unlock.error} />
    </div>
  );
}
