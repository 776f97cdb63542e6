import { Link } from "wouter";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { openStopSheet } from "../../host/stop-sheet";
import { AlarmMark } from "../../domain/alarm/AlarmMark";
import { Panel } from "../../design/layout/Panel";
import { useRows } from "../../domain/station/useRows";
import { standingText, useStanding } from "../../domain/robot/useStanding";
import { t } from "../../locales/i18n";
import { Countdown } from "../../domain/proposal/Countdown";
import { inQueueOrder, isOpen } from "../../domain/proposal/proposal-state";
import { useShown } from "../../domain/proposal/useShown";
import { Octagon } from "../../design/theme/icons/Octagon";
import styles from "./Attention.module.css";

/** Alarms shown; the rest is one activation away. */
const ALARMS_MAX = 5;

/** Items that wait for the operator: the worst alarms, the approval that expires next, and unusable robots. */
export function Attention({ robots }: { robots: readonly RobotRow[] }) {
  const proposals = useRows("proposals", "list_proposals", {});
  const alarms = useRows("alarms", "list_alarms", { preset: "active" }).data?.rows ?? [];
  const open = inQueueOrder((proposals.data?.rows ?? []).filter(({ state }) => isOpen(state)));
  const standing = useStanding();
  const invalid = robots.filter(({ errors }) => errors.length > 0);
  return (
    <Panel title={t("overview.attention")}>
      <ul className={styles.list}>
        {standing && (
          <li>
            <button
              type="button"
              className={`${styles.item} ${styles.stopped}`}
              data-testid="needs-you-stopped"
              aria-haspopup="dialog"
              onClick={openStopSheet}
            >
              <Octagon />
              <span>
                <strong>{standingText(standing)}</strong>
                <small>{t("stopped.what_to_do")}</small>
              </span>
            </button>
          </li>
        )}
        {alarms.slice(0, ALARMS_MAX).map((alarm) => (
          <li key={alarm.id}>
            <Link href={`/alarms/${alarm.id}`} className={`${styles.item} ${styles.alarm}`}>
              <AlarmMark alarm={alarm} />
              <span>
                {alarm.message}
                <small>{alarm.response}</small>
              </span>
            </Link>
          </li>
        ))}
        {open.map((proposal) => (
          <Waiting key={proposal.id} proposal={proposal} />
        ))}
        {invalid.map((robot) => (
          <li key={robot.id} className={styles.item}>
            <span>{t("overview.invalid", { robot: robot.id })}</span>
            <small>{robot.errors.join(" · ")}</small>
          </li>
        ))}
      </ul>
      {standing === null && alarms.length + open.length + invalid.length === 0 && (
        <p className={styles.none}>{t("overview.nothing_waits")}</p>
      )}
    </Panel>
  );
}

function Waiting({ proposal }: { proposal: Proposal }) {
  const watched = useShown(proposal.id, true);
  return (
    <li ref={watched}>
      <Link href={`/approvals/${proposal.id}`} className={styles.item}>
        <span>{proposal.sentence}</span>
        <small>
          {t(`tier.${proposal.tier}`)} · <Countdown expires_mono_ms={proposal.expires_mono_ms} />
        </small>
      </Link>
    </li>
  );
}
