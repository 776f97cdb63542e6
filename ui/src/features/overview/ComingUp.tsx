import { Link } from "wouter";
import { formatWhen } from "../../design/format/time";
import { Panel } from "../../design/layout/Panel";
import { useRows } from "../../domain/station/useRows";
import { useTimeOfDay } from "../../domain/station/useTicked";
import { t } from "../../locales/i18n";
import styles from "./ComingUp.module.css";
import { comingUp } from "./coming-up";

/** The list says minutes. */
const MINUTE_MS = 60_000;

/** The next things that happen by themselves; without any it is not there. */
export function ComingUp() {
  const jobs = useRows("jobs", "list_jobs", {});
  const missions = useRows("missions", "list_missions", {});
  const approvals = useRows("proposals", "list_standing_approvals", {});
  const now_ms = useTimeOfDay(MINUTE_MS);
  const lines = comingUp(now_ms, jobs.data?.rows ?? [], missions.data?.rows ?? [], approvals.data?.rows ?? []);
  if (lines.length === 0) return null;
  return (
    <Panel title={t("coming.title")}>
      <ul className={styles.list} data-testid="coming-up">
        {lines.map(({ key, at_ms, title, of, href }) => (
          <li key={key}>
            <Link href={href} className={styles.line}>
              <time className={styles.at} dateTime={new Date(at_ms).toISOString()}>
                {formatWhen(at_ms)}
              </time>
              <span className={styles.what} title={title}>
                {title} <span className={styles.of}>{of}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
