import { useRef, useState } from "react";
import { useLocation } from "wouter";
import type { MissionGraph } from "../../generated/bindings/MissionGraph";
import { Split } from "../../design/layout/Split";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { t } from "../../locales/i18n";
import { ConflictDialog } from "./ConflictDialog";
import { GraphToolbar } from "./graph/GraphToolbar";
import { LinkDialog, UnlinkDialog } from "./graph/LinkDialog";
import { MissionGraphPane } from "./graph/MissionGraphPane";
import { MissionTree } from "./graph/MissionTree";
import { ProblemList } from "./graph/ProblemList";
import { type GraphActs, useGraphActs } from "./graph/useGraphActs";
import { useMissionKeys } from "./graph/useMissionKeys";
import { type Problems, useProblems } from "./graph/useProblems";
import { ListHead } from "./ListHead";
import { type MissionTab, placeOf } from "./mission-tabs";
import { MissionPanel } from "./MissionPanel";
import styles from "./MissionsView.module.css";
import { NewMission } from "./NewMission";
import type { MissionImport } from "./useMissionImport";

/** Width of the list, px. */
const LIST_PX = 248;
const LIST_PX_MIN = 200;
const LIST_PX_MAX = 420;

/** Something that a dialog is open for. */
type Asked = { what: "new" } | { what: "link" | "unlink"; id: string };

type MissionsViewProps = { graph: MissionGraph; id: string | undefined; tab: MissionTab; files: MissionImport };

/** The list, the graph with the problems of all files below it, and the mission that is shown. */
export function MissionsView({ graph, id, tab, files }: MissionsViewProps) {
  const view = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const [, go] = useLocation();
  const refusal = useCommandRefusal();
  const mayChange = refusal === null;
  const acts = useGraphActs(graph, mayChange);
  const { asked, ask, create, close } = useAsked(mayChange);
  const problems = useProblems(graph);
  // The list is not drawn anew with each step of a drag.
  const { setEdge } = acts;
  const show = (next: string) => {
    setEdge(null);
    go(placeOf(next, tab));
  };
  useMissionKeys(view, area, id, {
    link: (of) => ask("link", of),
    unlink: (of) => ask("unlink", of),
    create,
    remove: acts.remove,
    tidy: acts.tidy,
    undo: acts.history.undo,
    redo: acts.history.redo,
    open: show,
    walk: acts.walk,
    nudge: acts.nudge,
    goNextRunning: () => acts.goNextRunning(id),
    goProblem: problems.step,
  });
  return (
    <div ref={view} className={styles.view}>
      <div ref={area} className={styles.area}>
        <Split
          id="missions"
          label={t("missions.list_width")}
          along="row"
          first_px={LIST_PX}
          min_px={LIST_PX_MIN}
          max_px={LIST_PX_MAX}
          first={
            <section className={styles.list}>
              <ListHead graph={graph} files={files} />
              <MissionTree graph={graph} selected={id} onSelect={show} />
              <p className={styles.hint}>{t("missions.drop_hint")}</p>
            </section>
          }
          second={
            <Centre
              graph={graph}
              id={id}
              acts={acts}
              refusal={refusal}
              problems={problems}
              onShow={show}
              onAsk={ask}
              onNew={create}
            />
          }
        />
      </div>
      {id !== undefined && <Inspector graph={graph} id={id} tab={tab} acts={acts} problems={problems} />}
      <ConflictDialog conflict={acts.history.conflict} />
      {asked !== null && <AskedDialog graph={graph} asked={asked} acts={acts} onClose={close} />}
    </div>
  );
}

type InspectorProps = {
  graph: MissionGraph;
  id: string;
  tab: MissionTab;
  acts: GraphActs;
  problems: Problems;
};

/** The mission that is shown. */
function Inspector({ graph, id, tab, acts, problems }: InspectorProps) {
  return (
    <aside className={styles.inspector} aria-label={t("missions.one")}>
      <MissionPanel
        // Nothing that was typed or opened for one mission may stand under another.
        key={id}
        id={id}
        graph={graph}
        tab={tab}
        place={problems.placeIn(id)}
        history={acts.history}
        removal={acts.removal}
        onJump={(problem) => problems.jump(id, problem)}
      />
    </aside>
  );
}

/** The dialog that is open. Where nothing may be changed, none opens. */
function useAsked(mayChange: boolean) {
  const [asked, setAsked] = useState<Asked | null>(null);
  return {
    asked,
    ask: (what: "link" | "unlink", id: string | undefined) => {
      if (mayChange && id !== undefined) setAsked({ what, id });
    },
    create: () => {
      if (mayChange) setAsked({ what: "new" });
    },
    close: () => setAsked(null),
  };
}

type CentreProps = {
  graph: MissionGraph;
  id: string | undefined;
  acts: GraphActs;
  refusal: string | null;
  problems: Problems;
  onShow: (id: string) => void;
  onAsk: (what: "link" | "unlink", id: string | undefined) => void;
  onNew: () => void;
};

/** The graph between its tools and the problems of all files. */
function Centre({ graph, id, acts, refusal, problems, onShow, onAsk, onNew }: CentreProps) {
  return (
    <div className={styles.centre}>
      <GraphToolbar
        running={graph.nodes.filter(({ goal }) => goal !== null).length}
        selected={id}
        refusal={refusal}
        history={acts.history}
        isTidying={acts.isTidying}
        onLink={() => onAsk("link", id)}
        onUnlink={() => onAsk("unlink", id)}
        onTidy={acts.tidy}
        onNew={onNew}
      />
      <MissionGraphPane
        graph={graph}
        acts={acts}
        selected={id}
        mayChange={refusal === null}
        onSelect={onShow}
        onNew={onNew}
      />
      <ProblemList problems={problems} />
    </div>
  );
}

type AskedDialogProps = { graph: MissionGraph; asked: Asked; acts: GraphActs; onClose: () => void };

/** The dialog that a key or a button has opened. */
function AskedDialog({ graph, asked, acts, onClose }: AskedDialogProps) {
  switch (asked.what) {
    case "new":
      return <NewMission onClose={onClose} />;
    case "link":
      return (
        <LinkDialog
          graph={graph}
          id={asked.id}
          onClose={onClose}
          onLink={(pair) => {
            onClose();
            acts.connect(pair);
          }}
        />
      );
    case "unlink":
      return (
        <UnlinkDialog
          graph={graph}
          id={asked.id}
          onClose={onClose}
          onUnlink={(edge) => {
            onClose();
            acts.disconnect(edge);
          }}
        />
      );
  }
}
