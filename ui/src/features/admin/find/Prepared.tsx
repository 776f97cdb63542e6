import type { RobotPrepared } from "../../../generated/bindings/RobotPrepared";
import { Button } from "../../../design/components/Button";
import { Notice } from "../../../design/components/Notice";
import { Panel } from "../../../design/layout/Panel";
import { t } from "../../../locales/i18n";
import { PairGate } from "../PairGate";
import { useConnectionsLook } from "../useConnectionsLook";

/** The files are there; the gate is paired next, and its robot commissioned after that. */
export function Prepared({ prepared, onBack }: { prepared: RobotPrepared; onBack: () => void }) {
  useConnectionsLook();
  return (
    <>
      <Panel
        title={t("find_robot.prepared", { robot: prepared.robot })}
        aside={
          <Button look="quiet" onClick={onBack}>
            {t("find_robot.back")}
          </Button>
        }
      >
        <div role="status" data-testid="robot-prepared">
          <Notice
            title={t("find_robot.written", { folder: prepared.folder })}
            detail={t("find_robot.next", { robot: prepared.robot })}
          />
        </div>
      </Panel>
      <PairGate command={prepared.pair} />
    </>
  );
}
