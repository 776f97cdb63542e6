import { useState } from "react";
import type { GraphEdge } from "../../../generated/bindings/GraphEdge";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import { Button } from "../../../design/components/Button";
import { Dialog } from "../../../design/components/Dialog";
import { Segments } from "../../../design/components/Segments";
import { FilterField } from "../../../design/fields/FilterField";
import { t } from "../../../locales/i18n";
import { edgeId, linkRefuser, type Pair } from "./graph-model";
import { refusalText } from "./link-words";
import styles from "./LinkDialog.module.css";

type LinkDialogProps = {
  graph: MissionGraph;
  /** The mission that is connected. */
  id: string;
  onClose: () => void;
  onLink: (pair: Pair) => void;
};

/** Connects a mission with one of a list. What would make no sense is refused with the reason (ME-03). */
export function LinkDialog({ graph, id, onClose, onLink }: LinkDialogProps) {
  const [side, setSide] = useState<"after" | "before">("after");
  const [words, setWords] = useState("");
  const title = graph.nodes.find((node) => node.id === id)?.title ?? id;
  const refusalOf = linkRefuser(graph.edges, id);
  const wanted = words.trim().toLowerCase();
  const others = graph.nodes.filter(
    (node) => node.id !== id && `${node.title} ${node.id}`.toLowerCase().includes(wanted),
  );
  return (
    <Dialog title={t(`mission_graph.link_${side}`, { title })} testId="link-dialog" onClose={onClose}>
      <div className={styles.head}>
        <Segments
          label={t("mission_graph.link_side")}
          value={side}
          options={[
            { value: "after", text: t("mission_graph.side_after") },
            { value: "before", text: t("mission_graph.side_before") },
          ]}
          onChange={setSide}
        />
        <FilterField label={t("mission_graph.find")} value={words} testId="link-filter" onChange={setWords} />
      </div>
      <ul className={styles.list}>
        {others.map((other) => {
          const pair = side === "after" ? { from: other.id, to: id } : { from: id, to: other.id };
          const refusal = refusalOf(pair);
          return (
            <li key={other.id}>
              <button
                type="button"
                className={styles.choice}
                disabled={refusal !== null}
                data-testid={`link-${other.id}`}
                onClick={() => onLink(pair)}
              >
                <span>{other.title}</span>
                <code>{other.id}</code>
                {refusal !== null && <span className={styles.why}>{refusalText(refusal)}</span>}
              </button>
            </li>
          );
        })}
        {others.length === 0 && <li className={styles.why}>{t("mission_graph.none_found")}</li>}
      </ul>
    </Dialog>
  );
}

type UnlinkDialogProps = { graph: MissionGraph; id: string; onClose: () => void; onUnlink: (edge: GraphEdge) => void };

/** The dependencies of a mission in the files, each of which can be taken away. */
export function UnlinkDialog({ graph, id, onClose, onUnlink }: UnlinkDialogProps) {
  const title = graph.nodes.find((node) => node.id === id)?.title ?? id;
  const edges = graph.edges.filter((edge) => canUnlink(edge) && (edge.from === id || edge.to === id));
  return (
    <Dialog title={t("mission_graph.unlink_title", { title })} testId="unlink-dialog" onClose={onClose}>
      <ul className={styles.list}>
        {edges.map((edge) => (
          <li key={edgeId(edge)} className={styles.edge}>
            <span>{t("mission_graph.waits_for", { to: edge.to, from: edge.from })}</span>
            <Button size="row" data-testid={`unlink-${edge.from}-${edge.to}`} onClick={() => onUnlink(edge)}>
              {t("mission_graph.disconnect")}
            </Button>
          </li>
        ))}
        {edges.length === 0 && <li className={styles.why}>{t("mission_graph.no_edges")}</li>}
      </ul>
    </Dialog>
  );
}

/** True if the file says so: what is only in force goes with the next activation. */
export function canUnlink({ kind, in: text }: GraphEdge): boolean {
  return kind === "depends_on" && text !== "activated";
}
