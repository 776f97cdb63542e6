import { useEffect, useState } from "react";
import { formatAge } from "../design/format/time";
import { useLive } from "../domain/station/useLive";
import { t } from "../locales/i18n";
import styles from "./Banner.module.css";

/** As long as a window may take to hear its station for the first time. */
const SAY_CONNECTING_MS = 1_000;

/** Says that the station is gone and for how long; everything below is old then (U-210). */
export function Banner() {
  const lost = useLive((store) => store.time.lost);
  const waiting = useLive((store) => store.time.now_ms === null);
  const silent = useLive((store) => formatAge(Math.floor(store.time.silent_ms / 1_000) * 1_000));
  const crowded = useLive((store) => store.crowded);
  const [patient, setPatient] = useState(true);

  // Synchronises with the clock: a connection that is there at once needs no words.
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), SAY_CONNECTING_MS);
    return () => clearTimeout(timer);
  }, []);

  if (waiting && crowded)
    return (
      <p className={styles.banner} role="status">
        {t("shell.crowded")}
      </p>
    );
  if (waiting) return patient ? null : <p className={styles.banner}>{t("shell.connecting")}</p>;
  if (!lost) return null;
  return (
    <div className={styles.banner} data-testid="station-lost">
      <strong>{t("shell.station_lost", { age: silent })}</strong> <span>{t("shell.stop_works")}</span>
      {crowded && <p>{t("shell.crowded")}</p>}
      <span className="visually-hidden" role="status">
        {t("shell.station_lost_spoken")} {crowded && t("shell.crowded")}
      </span>
    </div>
  );
}
