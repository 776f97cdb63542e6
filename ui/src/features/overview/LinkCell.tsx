import type { RobotRow } from "../../bindings/RobotRow";
import { formatNumber } from "../../shared/format/numbers";
import { useLive } from "../../shared/hooks/useLive";
import { t } from "../../shared/i18n";
import styles from "./LinkCell.module.css";

/** Up to this round trip a link is shown plainly, ms (U-505). */
const SLOW_MS = 100;

/** The link in words and its round trip. */
export function LinkCell({ robot }: { robot: RobotRow }) {
  const link = useLive((store) => store.links.get(robot.id)?.link ?? robot.link);
  const rtt_ms = useLive((store) => store.links.get(robot.id)?.rtt_ms ?? robot.rtt_ms);
  switch (link) {
    case "live":
      if (rtt_ms === null) return t("link.live");
      return `${formatNumber(rtt_ms, 0)} ms${rtt_ms > SLOW_MS ? ` ${t("link.slow")}` : ""}`;
    case "late":
    case "lost":
    case "never":
      return <strong className={styles.word}>{t(`link.${link}`)}</strong>;
  }
}
