import { Rows } from "../../design/components/Rows";
import { useLive } from "../../domain/station/useLive";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { tabOf } from "./mission-tabs";
import { MissionImports } from "./MissionImports";
import { MissionsView } from "./MissionsView";
import { type MissionImport, useMissionImport } from "./useMissionImport";
import type { ReactNode } from "react";
import { DropHint } from "../../design/components/DropHint";
import { useFileDrop } from "../../design/components/useFileDrop";
import screen from "../../design/layout/screen.module.css";
import styles from "./Missions.module.css";

type MissionsProps = { id: string | undefined; tab: string | undefined };

/** Missions for robots: markdown files that people activate. `id` is the one shown, `tab` the part of it. */
export function Missions(props: MissionsProps) {
  const agent = useLive((store) => store.agent);
  // Two agents may use one id: nothing that was begun with the missions of one may go on with those of another.
  return <MissionsOfAgent key={agent} {...props} />;
}

function MissionsOfAgent({ id, tab }: MissionsProps) {
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

/** A place that takes files and folders from the desktop. What else is dragged passes through it. */
function MissionDrop({ onFiles, children }: { onFiles: MissionImport["begin"]; children: ReactNode }) {
  const { over, handlers } = useFileDrop(onFiles, { takesFolders: true });
  return (
    <div className={`${screen.screen} ${styles.missions}`} data-over={over} data-testid="mission-drop" {...handlers}>
      {children}
      {over && <DropHint text={t("missions.drop_here")} />}
    </div>
  );
}
