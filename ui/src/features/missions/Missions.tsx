import { useState } from "react";
import { Segments } from "../../design/components/Segments";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import screen from "../../design/layout/screen.module.css";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { groupOf, type MissionFilter } from "./mission-state";
import { MissionPanel } from "./MissionPanel";
import { MissionTable } from "./MissionTable";
import styles from "./Missions.module.css";

const FILTERS: readonly MissionFilter[] = ["open", "draft", "ended"];

/** Missions for robots: markdown files that people activate. `id` is the one shown. */
export function Missions({ id }: { id: string | undefined }) {
  const missions = useRows("missions", "list_missions", {});
  const [chosen, setChosen] = useState<MissionFilter | null>(null);
  const rows = missions.data?.rows ?? [];
  const count = (filter: MissionFilter) => rows.filter((row) => groupOf(row) === filter).length;
  // Until somebody chooses, what is going on; where nothing is, what could be.
  const filter = chosen ?? (count("open") > 0 ? "open" : "draft");
  return (
    <div className={`${screen.screen} ${styles.missions}`}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("nav.missions")}</h1>
        <Segments
          label={t("missions.filter")}
          value={filter}
          options={FILTERS.map((value) => ({ value, text: t(`missions.filter_${value}`, { count: count(value) }) }))}
          onChange={setChosen}
        />
        <div className={screen.end}>
          <PauseAll active={rows.filter(({ status }) => status === "active").length} />
        </div>
      </header>
      <Panel title={t(`missions.list_${filter}`)}>
        <Rows query={missions} what={t("missions.list")}>
          {({ rows: all }) => {
            const shown = all.filter((row) => groupOf(row) === filter);
            if (shown.length > 0) return <MissionTable missions={shown} selected={id} />;
            return all.length === 0 ? (
              <Notice title={t("missions.none")} detail={t("missions.none_detail")} />
            ) : (
              <Notice title={t(`missions.none_${filter}`)} />
            );
          }}
        </Rows>
      </Panel>
      {id !== undefined && <MissionPanel key={id} id={id} />}
    </div>
  );
}

/** Pauses everything that is active. It stops no robot: that is what STOP ALL does. */
function PauseAll({ active }: { active: number }) {
  const pause = useOperation("pause_all_missions");
  const refusal = useCommandRefusal();
  return (
    <>
      <Refusal error={pause.error} />
      <Button
        data-testid="pause-all"
        title={refusal ?? undefined}
        disabled={refusal !== null || pause.pending || active === 0}
        onClick={() => pause.run({})}
      >
        {pause.pending ? t("hold.sending") : t("missions.pause_all", { active })}
      </Button>
    </>
  );
}
