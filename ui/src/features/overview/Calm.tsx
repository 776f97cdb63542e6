import type { RobotRow } from "../../bindings/RobotRow";
import { formatAge } from "../../shared/format/time";
import { useLive } from "../../shared/hooks/useLive";
import { t } from "../../shared/i18n";
import styles from "./Calm.module.css";
import { useTroubles } from "./useTroubles";

/** "All normal · checked 0.4 s ago": impossible while anything required is stale. */
export function Calm({ robots }: { robots: readonly RobotRow[] }) {
  const abnormal = useTroubles(robots).filter(({ trouble }) => trouble !== null);
  const lost = useLive((store) => store.time.lost);
  const checked = useLive((store) => formatAge(store.time.silent_ms));
  const calm = abnormal.length === 0 && !lost;
  const names = abnormal.map(({ robot, trouble }) => `${robot.id} ${trouble ? t(`trouble.${trouble}`) : ""}`).join(", ");
  return (
    <header className={styles.calm} data-testid="calm" data-calm={calm}>
      <h1 className={styles.title}>{calm ? t("overview.normal") : lost ? t("overview.no_contact") : names}</h1>
      <p className={styles.checked}>{t("overview.checked", { age: checked })}</p>
    </header>
  );
}
