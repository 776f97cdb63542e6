import { lazy } from "react";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { Button } from "../../../design/components/Button";
import { ErrorBoundary } from "../../../design/components/ErrorBoundary";
import { LazyPart, Waiting } from "../../../design/components/LazyPart";
import { Notice } from "../../../design/components/Notice";
import { Refusal } from "../../../design/components/Refusal";
import { suggest } from "../../../domain/agent/draft";
import { useStation } from "../../../domain/station/station-context";
import { t } from "../../../locales/i18n";
import { canUnlink } from "./LinkDialog";
import { refusalText } from "./link-words";
import styles from "./MissionGraphPane.module.css";
import type { GraphActs } from "./useGraphActs";

// The library of the graph comes with the first look at it (U-2608).
const MissionCanvas = lazy(() => import("./MissionCanvas").then((module) => ({ default: module.MissionCanvas })));

type MissionGraphPaneProps = {
  graph: MissionGraph;
  acts: GraphActs;
  selected: string | undefined;
  mayChange: boolean;
  onSelect: (id: string) => void;
  onNew: () => void;
};

/** The graph, with what was refused of the last change, and the acts on a selected connection. */
export function MissionGraphPane({ graph, acts, selected, mayChange, onSelect, onNew }: MissionGraphPaneProps) {
  const { places, edge } = acts;
  const { store } = useStation();
  const laying = t("mission_graph.laying_out");
  return (
    <div className={styles.pane} data-mission-canvas data-testid="mission-graph">
      {/* The list stays usable when the graph fails (U-1015). */}
      <ErrorBoundary area={t("mission_graph.graph")}>
        <LazyPart className={styles.wait} wait={laying}>
          {places.points === null ? (
            <Waiting className={styles.wait}>{laying}</Waiting>
          ) : (
            <MissionCanvas
              graph={graph}
              places={places}
              selected={selected}
              edge={edge}
              mayChange={mayChange}
              onSelect={onSelect}
              onEdge={acts.setEdge}
              onConnect={acts.connect}
              onRefused={(refusal) => acts.setTold(refusalText(refusal))}
              onMoved={acts.move}
              onReveal={acts.onReveal}
              onNew={onNew}
            />
          )}
        </LazyPart>
      </ErrorBoundary>
      {graph.nodes.length === 0 && (
        <div className={styles.empty}>
          <Notice title={t("missions.none")} detail={t("missions.none_detail")}>
            <Button look="primary" disabled={!mayChange} onClick={onNew}>
              {t("missions.new")}
            </Button>
            <Button
              data-testid="mission-ask-agent"
              disabled={!mayChange}
              // It begins with an example, which also the command interpreter takes; the operator changes and sends it.
              onClick={() => suggest(store, t("missions.say_draft"))}
            >
              {t("missions.ask_agent")}
            </Button>
          </Notice>
        </div>
      )}
      <Told graph={graph} acts={acts} mayChange={mayChange} />
    </div>
  );
}

/** A chosen connection with the act on it, and what was refused or failed. */
function Told({ graph, acts, mayChange }: Pick<MissionGraphPaneProps, "graph" | "acts" | "mayChange">) {
  const { places, edge } = acts;
  return (
    <div className={styles.told} role="status" data-testid="graph-told">
      {edge !== null && (
        <p className={styles.bar}>
          <span>{t("mission_graph.chosen_edge", edge)}</span>
          <Button
            size="row"
            data-testid="edge-disconnect"
            disabled={!mayChange || !canUnlink(edge)}
            title={canUnlink(edge) ? undefined : t("mission_graph.only_in_force")}
            onClick={() => acts.disconnect(edge)}
          >
            {t("mission_graph.disconnect")}
          </Button>
        </p>
      )}
      {acts.told !== null && (
        <p className={styles.bar}>
          <span>{acts.told}</span>
          <Button size="row" look="quiet" onClick={() => acts.setTold(null)}>
            {t("common.close")}
          </Button>
        </p>
      )}
      {graph.layout_problem !== null && (
        <p className={styles.bar}>
          <span>
            {t("mission_graph.unreadable")} <code>{graph.layout_problem}</code>
          </span>
        </p>
      )}
      {places.failed && <p className={styles.bar}>{t("mission_graph.tidy_failed")}</p>}
      {acts.error !== null && (
        <div className={styles.bar}>
          <Refusal error={acts.error} />
        </div>
      )}
    </div>
  );
}
