import { useRef, useState } from "react";
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
import { MissionDrop } from "./MissionDrop";
import { MissionImports } from "./MissionImports";
import { MissionPanel } from "./MissionPanel";
import { MissionTable } from "./MissionTable";
import { NewMission } from "./NewMission";
import { type MissionImport, useMissionImport } from "./useMissionImport";

const FILTERS: readonly MissionFilter[] = ["open", "draft", "ended"];

/** Missions for robots: markdown files that people activate. `id` is the one shown. */
export function Missions({ id }: { id: string | undefined }) {
  const missions = useRows("missions", "list_missions", {});
  const [chosen, setChosen] = useState<MissionFilter | null>(null);
  const [making, setMaking] = useState(false);
  const files = useMissionImport();
  const rows = missions.data?.rows ?? [];
  const count = (filter: MissionFilter) => rows.filter((row) => groupOf(row) === filter).length;
  // Until somebody chooses, what is going on; where nothing is, what could be.
  const filter = chosen ?? (count("open") > 0 ? "open" : "draft");
  return (
    <MissionDrop onFiles={files.begin}>
      <header className={screen.head}>
        <h1 className={screen.title}>{t("nav.missions")}</h1>
        <Segments
          label={t("missions.filter")}
          value={filter}
          options={FILTERS.map((value) => ({ value, text: t(`missions.filter_${value}`, { count: count(value) }) }))}
          onChange={setChosen}
        />
        <div className={screen.end}>
          <Beginnings files={files} onNew={() => setMaking(true)} />
          <PauseAll active={rows.filter(({ status }) => status === "active").length} />
        </div>
      </header>
      <MissionImports files={files} />
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
      {making && <NewMission onClose={() => setMaking(false)} />}
    </MissionDrop>
  );
}

/** The two ways in which a mission file begins here, besides a drop. */
function Beginnings({ files, onNew }: { files: MissionImport; onNew: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const refusal = useCommandRefusal();
  const shared = { title: refusal ?? undefined, disabled: refusal !== null };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".md,text/markdown"
        multiple
        hidden
        data-testid="mission-files"
        onChange={(event) => {
          files.begin([...(event.target.files ?? [])]);
          // The same file may be chosen again.
          event.target.value = "";
        }}
      />
      <Button {...shared} data-testid="mission-new" onClick={onNew}>
        {t("missions.new")}
      </Button>
      <Button {...shared} data-testid="mission-import" onClick={() => input.current?.click()}>
        {t("missions.import")}
      </Button>
    </>
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
