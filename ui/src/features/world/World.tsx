import { useLocation } from "wouter";
import { AdminGrant } from "../../domain/station/AdminGrant";
import { useMedia } from "../../design/layout/media";
import screen from "../../design/layout/screen.module.css";
import { Split } from "../../design/layout/Split";
import { Segments } from "../../design/components/Segments";
import { Rows } from "../../design/components/Rows";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { Cameras } from "./Cameras";
import { EntryPanel } from "./EntryPanel";
import { PlanView } from "./plan/PlanView";
import { PlotView } from "./plot/PlotView";
import { Providers } from "./Providers";
import { ScenePanel } from "./ScenePanel";
import { StatePanel } from "./StatePanel";
import { Topics } from "./Topics";
import styles from "./World.module.css";
import { placeOf } from "./world-place";

type WorldProps = { first: string | undefined; second: string | undefined; third: string | undefined };

/** World state of the station, its sources, and the places of the robots. The three words come from the address. */
export function World({ first, second, third }: WorldProps) {
  const place = placeOf(first, second, third);
  const [, navigate] = useLocation();
  return (
    <div className={screen.screen}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("nav.world")}</h1>
        <Segments
          label={t("world.views")}
          value={place.view}
          options={[
            { value: "state", text: t("world.view_state") },
            { value: "plan", text: t("site_plan.title") },
            { value: "cameras", text: t("camera.title") },
            { value: "plot", text: t("plot.title") },
            { value: "topics", text: t("world.view_topics") },
            { value: "providers", text: t("world.view_providers") },
          ]}
          onChange={(view) => navigate(view === "state" ? "/world" : `/world/${view}`)}
        />
        <div className={screen.end}>
          <AdminGrant />
        </div>
      </header>
      {place.view === "state" && <State robot={place.robot} entry={place.key} />}
      {place.view === "plan" && <PlanView />}
      {place.view === "cameras" && <Cameras />}
      {place.view === "plot" && <PlotView />}
      {place.view === "topics" && <Topics topic={place.topic} />}
      {place.view === "providers" && <Providers provider={place.provider} topic={place.topic} />}
    </div>
  );
}

/** Sizes of the scene, px: beside the table in a wide window, else above it. */
const SCENE_PX = {
  row: { usual: 560, min: 320, max: 1_600 },
  column: { usual: 400, min: 200, max: 900 },
};
/** A window in which the table has room beside the scene. */
const WIDE = "(min-width: 95em)";

/** The scene, or an entry in its place, and the state table. */
function State({ robot, entry }: { robot: string | null; entry: string | null }) {
  const robots = useRows("robots", "list_robots", {});
  const along = useMedia(WIDE) ? "row" : "column";
  return (
    <div className={styles.world}>
      <Split
        key={along}
        id={`world.${along}`}
        label={t("world.scene_size")}
        along={along}
        first_px={SCENE_PX[along].usual}
        min_px={SCENE_PX[along].min}
        max_px={SCENE_PX[along].max}
        first={
          entry === null ? (
            <Rows query={robots} what={t("overview.robots")}>
              {({ rows }) => <ScenePanel robots={rows} focus={rows.some(({ id }) => id === robot) ? robot : null} />}
            </Rows>
          ) : (
            <EntryPanel key={entry} entry={entry} />
          )
        }
        second={<StatePanel selected={entry} />}
      />
    </div>
  );
}
