import { proposalSentence } from "../../domain/proposal/proposal-sentence";
import { CheckCheck, TriangleAlert } from "lucide-react";
import { Link } from "wouter";
import type { Proposal } from "../../generated/bindings/Proposal";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { toHostError } from "../../host/host";
import { openStopSheet } from "../../host/stop-sheet";
import { AlarmItem } from "../../domain/alarm/AlarmItem";
import { Button } from "../../design/components/Button";
import { InboxItem } from "../../design/components/InboxItem";
import { Refusal } from "../../design/components/Refusal";
import { Panel } from "../../design/layout/Panel";
import { useRows } from "../../domain/station/useRows";
import { standingText, useStanding } from "../../domain/robot/useStanding";
import { manifestFaults } from "../../domain/robot/manifest-faults";
import { t } from "../../locales/i18n";
import { saidLine } from "../../locales/station-words";
import { Countdown } from "../../domain/proposal/Countdown";
import { inQueueOrder, isOpen } from "../../domain/proposal/proposal-state";
import { useShown } from "../../domain/proposal/useShown";
import { Octagon } from "../../design/theme/icons/Octagon";
import { SimulatorEnded } from "./SimulatorEnded";
import { useLive } from "../../domain/station/useLive";
import styles from "./Attention.module.css";

/** Alarms shown; the rest is one activation away. */
const ALARMS_MAX = 5;

/** Items that wait for the operator: the worst alarms, the approval that expires next, and unusable robots. */
export function Attention({ robots }: { robots: readonly RobotRow[] }) {
  const proposals = useRows("proposals", "list_proposals", {});
  const active = useRows("alarms", "list_alarms", { preset: "active" });
  const alarms = active.data?.rows ?? [];
  const unread = proposals.error ?? active.error;
  const known = unread === null && proposals.data !== undefined && active.data !== undefined;
  const open = inQueueOrder((proposals.data?.rows ?? []).filter(({ state }) => isOpen(state)));
  const standing = useStanding();
  const ended = useSimulatorEnded(robots);
  const invalid = robots.filter(({ errors }) => errors.length > 0);
  return (
    <Panel title={t("overview.attention")}>
      <ul className={styles.list}>
        {standing && (
          <li>
            <InboxItem
              symbol={<Octagon />}
              title={standingText(standing)}
              act={
                <Button
                  size="row"
                  data-testid="needs-you-stopped"
                  aria-haspopup="dialog"
                  aria-label={t("stopped.open_name")}
                  onClick={openStopSheet}
                >
                  {t("stopped.open")}
                </Button>
              }
            >
              {t("stopped.what_to_do")}
            </InboxItem>
          </li>
        )}
        {ended && (
          <li>
            <SimulatorEnded />
          </li>
        )}
        {alarms.slice(0, ALARMS_MAX).map((alarm) => (
          <li key={alarm.id}>
            <AlarmItem alarm={alarm} linkClass={styles.act} />
          </li>
        ))}
        {open.map((proposal) => (
          <Waiting key={proposal.id} proposal={proposal} />
        ))}
        {invalid.map((robot) => (
          <li key={robot.id}>
            <InboxItem symbol={<TriangleAlert />} title={t("overview.invalid", { robot: robot.id })}>
              {manifestFaults(robot).map(saidLine).join(" · ")}
            </InboxItem>
          </li>
        ))}
      </ul>
      <Refusal error={unread === null ? null : toHostError(unread)} />
      {known && standing === null && !ended && alarms.length + open.length + invalid.length === 0 && (
        <p className={styles.none}>{t("overview.nothing_waits")}</p>
      )}
    </Panel>
  );
}

function Waiting({ proposal }: { proposal: Proposal }) {
  const watched = useShown(proposal.id, true);
  return (
    <li ref={watched}>
      <InboxItem
        symbol={<CheckCheck className={styles.proposed} />}
        title={proposalSentence(proposal)}
        act={
          <Link href={`/approvals/${proposal.id}`} className={styles.act}>
            {t("overview.review")}
          </Link>
        }
      >
        {t(`tier.${proposal.tier}`)} · <Countdown expires_mono_ms={proposal.expires_mono_ms} />
      </InboxItem>
    </li>
  );
}

/** True while robots of the simulator are listed and it does not run. */
function useSimulatorEnded(robots: readonly RobotRow[]): boolean {
  const simulator = useLive((store) => store.session?.simulator);
  return simulator !== undefined && simulator !== "running" && robots.some(({ simulated }) => simulated);
}
