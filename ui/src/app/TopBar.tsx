import { CheckCheck, Radio } from "lucide-react";
import { Link } from "wouter";
import type { AlarmRow } from "../generated/bindings/AlarmRow";
import { worstUnacknowledged } from "../domain/alarm/alarm-state";
import { useRows } from "../domain/station/useRows";
import { t } from "../locales/i18n";
import { isOpen } from "../domain/proposal/proposal-state";
import { useLive } from "../domain/station/useLive";
import { formatRoundTrip } from "../design/format/time";
import { AlarmBadge, AlarmSpoken } from "./AlarmBadge";
import { RobotChips } from "./RobotChips";
import { useAlarmSound } from "./useAlarmSound";
import styles from "./TopBar.module.css";

const NO_ALARMS: readonly AlarmRow[] = [];

/** Never covered. Its right end belongs to STOP ALL, which is another root. */
export function TopBar() {
  const robots = useRows("robots", "list_robots", {});
  const proposals = useRows("proposals", "list_proposals", {});
  const alarms = useRows("alarms", "list_alarms", { preset: "active" });
  useAlarmSound(alarms.data?.rows ?? NO_ALARMS);
  const alarmed = worstUnacknowledged(alarms.data?.rows ?? NO_ALARMS) !== null;
  const waiting = (proposals.data?.rows ?? []).filter(({ state }) => isOpen(state)).length;
  const site = robots.data?.rows[0]?.site ?? t("shell.no_site");
  return (
    <header className={styles.bar}>
      <Link href="/overview" className={styles.brand} aria-label={t("shell.home")}>
        <BrandMark />
      </Link>
      <div className={styles.place}>
        <p className={styles.site} title={site}>
          {site}
        </p>
        <ModeMark />
      </div>
      <RobotChips robots={robots.data?.rows ?? []} alarmed={alarmed} />
      <div className={styles.end} data-alarmed={alarmed}>
        {/* An empty place would say that all is well. */}
        {alarms.isError && alarms.data === undefined && <p className={styles.link}>{t("alarms.not_known")}</p>}
        <AlarmBadge alarms={alarms.data?.rows ?? NO_ALARMS} />
        <StationLink />
        <Link href="/approvals" className={styles.count} data-waiting={waiting > 0}>
          <CheckCheck aria-hidden="true" className={styles.icon} />
          {proposals.data === undefined ? t("nav.approvals") : t("approvals.count", { count: waiting })}
        </Link>
      </div>
      <AlarmSpoken alarms={alarms.data?.rows ?? NO_ALARMS} />
    </header>
  );
}

/** LIVE or SIM, unmistakably (U-106). */
function ModeMark() {
  const mode = useLive((store) => store.mode);
  if (mode === null) return null;
  return (
    <p className={styles.mark} data-testid="mode" data-mode={mode}>
      <strong>{t(`mode.${mode}`)}</strong>
      <span className={styles.what}>{t(mode === "sim" ? "mode.sim_what" : "mode.live_what")}</span>
    </p>
  );
}

/** The slowest answered round trip to a robot, or that the station is gone. */
function StationLink() {
  const lost = useLive((store) => store.time.lost);
  const slowest = useLive((store) => {
    const trips = [...store.links.values()].flatMap(({ rtt_ms }) => rtt_ms ?? []);
    return trips.length === 0 ? null : formatRoundTrip(Math.max(...trips));
  });
  if (lost) return <p className={styles.link}>{t("shell.no_station")}</p>;
  if (slowest === null) return null;
  return (
    <p className={styles.link} title={t("shell.slowest")}>
      <Radio aria-hidden="true" className={styles.icon} />
      {slowest}
    </p>
  );
}

/** The mark in the colour of the text around it, on the ground of the window. */
function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false" width="32" height="32">
      <circle cx="15" cy="15" r="10.5" fill="none" stroke="currentColor" strokeWidth="3" />
      <path d="M15 15 27 27" stroke="var(--ground)" strokeWidth="7.5" />
      <path d="M15 15 27.5 27.5" stroke="currentColor" strokeWidth="3.2" strokeLinecap="round" />
    </svg>
  );
}
