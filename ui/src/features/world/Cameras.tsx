import { SetUpRobots } from "../../domain/robot/SetUpRobots";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Notice } from "../../design/components/Notice";
import { Rows } from "../../design/components/Rows";
import { Panel } from "../../design/layout/Panel";
import { CameraPanes } from "../../domain/camera/CameraPanes";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";

/** Every camera of the site. */
export function Cameras() {
  const robots = useRows("robots", "list_robots", {});
  return (
    <Rows query={robots} what={t("camera.title")}>
      {({ rows }) => <Site robots={rows} />}
    </Rows>
  );
}

function Site({ robots }: { robots: readonly RobotRow[] }) {
  const cameras = robots.flatMap(({ id, cameras: own = [] }) => own.map((camera) => ({ robot: id, camera })));
  return (
    <Panel title={t("camera.title")} aside={t("camera.count", { count: cameras.length })}>
      {cameras.length === 0 ? (
        <Notice title={t("camera.none")} detail={t("camera.none_detail")}>
          <SetUpRobots />
        </Notice>
      ) : (
        <CameraPanes cameras={cameras} />
      )}
    </Panel>
  );
}
