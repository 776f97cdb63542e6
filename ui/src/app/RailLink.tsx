import type { LucideIcon } from "lucide-react";
import { Link, useLocation } from "wouter";
import { hintOf, type ShortcutId } from "../design/shortcuts/shortcuts";
import styles from "./Rail.module.css";

type RailLinkProps = { to: string; shortcut?: ShortcutId; Icon: LucideIcon; label: string; count?: number };

/** One place of the window; the current one carries the bar. */
export function RailLink({ to, shortcut, Icon, label, count = 0 }: RailLinkProps) {
  const [location] = useLocation();
  const here = location === to || location.startsWith(`${to}/`);
  return (
    <Link
      href={to}
      className={styles.item ?? ""}
      aria-current={here ? "page" : undefined}
      title={shortcut && hintOf(shortcut)}
    >
      <Icon aria-hidden="true" className={styles.icon ?? ""} />
      <span>{label}</span>
      {count > 0 && <span className={styles.count}>{count}</span>}
    </Link>
  );
}
