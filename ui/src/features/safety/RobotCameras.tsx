import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Panel } from "../../design/layout/Panel";
import { CameraPanes } from "../../domain/camera/CameraPanes";
import { t } from "../../locales/i18n";

/** The cameras of a robot; nothing for one without. */
export function RobotCameras({ robot }: { robot: RobotRow }) {
  const cameras = robot.cameras ?? [];
  if (cameras.length === 0) return null;
  return (
    <Panel title={t("camera.title")}>
      <CameraPanes cameras={cameras.map((camera) => ({ robot: robot.id, camera }))} />
    </Panel>
  );
}
