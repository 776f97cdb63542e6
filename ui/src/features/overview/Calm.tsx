import type { RobotRow } from "../../generated/bindings/RobotRow";
import { formatSilence } from "../../design/format/time";
import { standingText, useStanding } from "../../domain/robot/useStanding";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Overview.module.css";
import { useTroubles } from "./useTroubles";

/**
 * "All normal · checked 0.4 s ago": impossible while anything required is stale or unknown, an alarm is active or a stop
 * is open.
 */
export function Calm({ robots }: { robots: readonly RobotRow[] }) {
  const lost = useLive((store) => store.time.lost);
  const heard = useLive((store) => store.time.now_ms !== null);
  const checked = useLive((store) => formatSilence(store.time.silent_ms));
  const exceptions = useExceptions(robots);
  const unknown = useUnknown();
  const [first, ...others] = exceptions;
  const calm = first === undefined && unknown === null && heard && !lost;
  const title = lost ? t("overview.no_contact") : (first ?? unknown ?? (heard ? null : t("overview.checking")));
  return (
    <header className={styles.calm} data-testid="calm" data-calm={calm}>
      <h1 className={styles.title}>{title ?? t("overview.normal")}</h1>
      <p className={styles.checked}>
        {!lost && others.length > 0 && <span title={others.join(", ")}>{others.join(", ")} · </span>}
        {t("overview.checked", { age: checked })}
      </p>
    </header>
  );
}

/** Everything that is not normal, what concerns most robots first. */
function useExceptions(robots: readonly RobotRow[]): string[] {
  const troubles = useTroubles(robots);
  const alarms = useRows("alarms", "list_alarms", { preset: "active" }).data?.rows.length ?? 0;
  const standing = useStanding();
  return [
    // A robot that has not confirmed a stop still reports the state from before it.
    ...(standing === null ? [] : [standingText(standing)]),
    ...(alarms === 0 ? [] : [t("overview.alarms", { count: alarms })]),
    ...troubles.flatMap(({ robot, trouble }) => (trouble === null ? [] : [`${robot.id} ${t(`trouble.${trouble}`)}`])),
  ];
}

/** A gap in what has to be known before anything is called normal; null once it is known. */
function useUnknown(): string | null {
  const alarms = useRows("alarms", "list_alarms", { preset: "active" });
  if (alarms.isError) return t("overview.alarms_unread");
  return alarms.data === undefined ? t("overview.checking") : null;
}
