import { formatAge } from "../shared/format/time";
import { useLive } from "../shared/hooks/useLive";
import { t } from "../shared/i18n";
import styles from "./Banner.module.css";

/** Says that the station is gone and for how long; everything below is old then (U-210). */
export function Banner() {
  const lost = useLive((store) => store.time.lost);
  const waiting = useLive((store) => store.time.now_ms === null);
  const silent = useLive((store) => formatAge(Math.floor(store.time.silent_ms / 1_000) * 1_000));
  if (waiting) return <p className={styles.banner}>{t("shell.connecting")}</p>;
  if (!lost) return null;
  return (
    <div className={styles.banner} data-testid="station-lost">
      <strong>{t("shell.station_lost", { age: silent })}</strong> <span>{t("shell.stop_works")}</span>
      <span className="visually-hidden" role="status">
        {t("shell.station_lost_spoken")}
      </span>
    </div>
  );
}
