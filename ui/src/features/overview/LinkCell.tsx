import type { RobotRow } from "../../generated/bindings/RobotRow";
import { formatRoundTrip } from "../../design/format/time";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import styles from "./LinkCell.module.css";

/** Up to this round trip a link is shown plainly, ms (U-505). */
const SLOW_MS = 100;

/** The link in words, and its round trip once it is slow. */
export function LinkCell({ robot }: { robot: RobotRow }) {
  const link = useLive((store) => store.links.get(robot.id)?.link ?? robot.link);
  const slow = useLive((store) => (store.links.get(robot.id)?.rtt_ms ?? robot.rtt_ms ?? 0) > SLOW_MS);
  const trip = useLive((store) => formatRoundTrip(store.links.get(robot.id)?.rtt_ms ?? robot.rtt_ms ?? 0));
  switch (link) {
    case "live":
      return slow ? `${trip} ${t("link.slow")}` : t("link.live");
    case "late":
    case "lost":
    case "never":
      return <strong className={styles.word}>{t(`link.${link}`)}</strong>;
  }
}
