import { Button } from "../design/components/Button";
import { Refusal } from "../design/components/Refusal";
import { useLive } from "../domain/station/useLive";
import { useOperation } from "../domain/station/useOperation";
import { t } from "../locales/i18n";
import styles from "./Banner.module.css";
import { useTakeLock } from "./useTakeLock";

/** The desk is locked: whoever passes by may look and stop (U-1703). */
export function LockBanner() {
  const locked = useLive((store) => store.session?.locked === true);
  const lost = useLive((store) => store.time.lost);
  const unlock = useOperation("unlock_screen");
  const take = useTakeLock();
  if (!locked) return null;
  return (
    <div className={`${styles.banner} ${styles.acts}`} data-testid="locked">
      <span>
        <strong>{t("lock.locked")}</strong> {t("lock.means")}
      </span>
      <Button data-testid="unlock" disabled={lost || unlock.pending} onClick={() => unlock.run({}, take(false))}>
        {unlock.pending ? t("hold.sending") : t("lock.unlock")}
      </Button>
      <Refusal error={unlock.error} />
    </div>
  );
}
