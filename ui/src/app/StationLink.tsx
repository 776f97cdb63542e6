import { formatRoundTrip } from "../design/format/time";
import { useLive } from "../domain/station/useLive";
import { t } from "../locales/i18n";
import styles from "./StationLink.module.css";

/** The slowest answered round trip to a robot, or that the station is gone. */
export function StationLink() {
  const lost = useLive((store) => store.time.lost);
  const slowest = useLive((store) => {
    const trips = [...store.links.values()].flatMap(({ rtt_ms }) => rtt_ms ?? []);
    return trips.length === 0 ? null : formatRoundTrip(Math.max(...trips));
  });
  if (lost) return <p className={styles.link}>{t("shell.no_station")}</p>;
  if (slowest === null) return null;
  return (
    <p className={styles.link} title={t("shell.slowest")}>
      {slowest}
    </p>
  );
}
