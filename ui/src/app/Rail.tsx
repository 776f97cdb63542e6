import {
  Bell,
  Box,
  CalendarClock,
  CheckCheck,
  History,
  LayoutDashboard,
  Lightbulb,
  type LucideIcon,
  MessageSquare,
  Route,
  Settings,
  Shield,
} from "lucide-react";
import { Link, useLocation } from "wouter";
import { useRows } from "../domain/station/useRows";
import { t } from "../locales/i18n";
import { isOpen } from "../domain/proposal/proposal-state";
import { useHints } from "../design/shortcuts/keys-in-force";
import type { ShortcutId } from "../design/shortcuts/shortcuts";
import styles from "./Rail.module.css";

/** Navigation between screens: every link has an icon and a label. */
export function Rail({ dockOpen, onDock }: { dockOpen: boolean; onDock: () => void }) {
  const proposals = useRows("proposals", "list_proposals", {});
  const alarms = useRows("alarms", "list_alarms", { preset: "active" });
  const hints = useHints();
  const reviews = useRows("reviews", "list_memory_reviews", {});
  const waiting = (proposals.data?.rows ?? []).filter(({ state }) => isOpen(state)).length;
  return (
    <nav className={styles.rail} data-region="rail" aria-label={t("nav.title")}>
      <RailLink to="/overview" shortcut="go_overview" Icon={LayoutDashboard} label={t("nav.overview")} />
      <RailLink to="/missions" shortcut="go_missions" Icon={Route} label={t("nav.missions")} />
      <RailLink to="/world" shortcut="go_world" Icon={Box} label={t("nav.world")} />
      <RailLink to="/approvals" shortcut="go_approvals" Icon={CheckCheck} label={t("nav.approvals")} count={waiting} />
      <RailLink
        to="/alarms"
        shortcut="go_alarms"
        Icon={Bell}
        label={t("nav.alarms")}
        count={alarms.data?.rows.length ?? 0}
      />
      <RailLink to="/beliefs" shortcut="go_beliefs" Icon={Lightbulb} label={t("nav.beliefs")} />
      <RailLink to="/memory" Icon={History} label={t("nav.memory")} count={reviews.data?.rows.length ?? 0} />
      <RailLink to="/jobs" Icon={CalendarClock} label={t("nav.jobs")} />
      <RailLink to="/safety" shortcut="go_safety" Icon={Shield} label={t("nav.safety")} />
      <RailLink to="/admin" shortcut="go_admin" Icon={Settings} label={t("nav.admin")} />
      <button
        type="button"
        className={`${styles.item} ${styles.last}`}
        aria-pressed={dockOpen}
        title={hints.title("toggle_dock")}
        aria-keyshortcuts={hints.aria("toggle_dock")}
        data-testid="toggle-dock"
        onClick={onDock}
      >
        <MessageSquare aria-hidden="true" className={styles.icon} />
        <span>{t("nav.agent")}</span>
      </button>
    </nav>
  );
}

type RailLinkProps = { to: string; shortcut?: ShortcutId; Icon: LucideIcon; label: string; count?: number };

/** One place of the window; the current one carries the bar. */
function RailLink({ to, shortcut, Icon, label, count = 0 }: RailLinkProps) {
  const [location] = useLocation();
  const hints = useHints();
  const here = location === to || location.startsWith(`${to}/`);
  return (
    <Link
      href={to}
      className={styles.item ?? ""}
      aria-current={here ? "page" : undefined}
      title={shortcut && hints.title(shortcut)}
      aria-keyshortcuts={shortcut && hints.aria(shortcut)}
    >
      <Icon aria-hidden="true" className={styles.icon ?? ""} />
      <span>{label}</span>
      {count > 0 && <span className={styles.count}>{count}</span>}
    </Link>
  );
}
