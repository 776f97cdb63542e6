import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { tabOf } from "./mission-tabs";
import { MissionDrop } from "./MissionDrop";
import { MissionImports } from "./MissionImports";
import { MissionsView } from "./MissionsView";
import { useMissionImport } from "./useMissionImport";

/** Missions for robots: markdown files that people activate. `id` is the one shown, `tab` the part of it. */
export function Missions({ id, tab }: { id: string | undefined; tab: string | undefined }) {
  const graph = useRows("missions", "mission_graph", {});
  const files = useMissionImport();
  return (
    <MissionDrop onFiles={files.begin}>
      <MissionImports files={files} />
      <Rows query={graph} what={t("missions.list")}>
        {({ rows }) => <MissionsView graph={rows} id={id} tab={tabOf(tab)} files={files} />}
      </Rows>
    </MissionDrop>
  );
}
