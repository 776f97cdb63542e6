import { Rows } from "../../shared/components/Rows";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import { ScenePanel } from "./ScenePanel";
import { StatePanel } from "./StatePanel";
import styles from "./World.module.css";

/** What the station knows now, where it came from, and where the robots are. `robot` is what the scene looks at. */
export function World({ robot }: { robot: string | undefined }) {
  const robots = useRows("robots", "list_robots", {});
  return (
    <div className={styles.world}>
      <Rows query={robots} what={t("overview.robots")}>
        {({ rows }) => <ScenePanel robots={rows} focus={rows.some(({ id }) => id === robot) ? (robot ?? null) : null} />}
      </Rows>
      <StatePanel />
    </div>
  );
}
