import { Link2, Plus, Redo2, Undo2, Unlink2, WandSparkles } from "lucide-react";
import { Button } from "../../../design/components/Button";
import { IconButton } from "../../../design/components/IconButton";
import { useHints } from "../../../design/shortcuts/keys-in-force";
import { t } from "../../../locales/i18n";
import styles from "./GraphToolbar.module.css";
import { MissionMark } from "./MissionMark";
import type { GraphHistory } from "./useGraphHistory";

type GraphToolbarProps = {
  running: number;
  selected: string | undefined;
  /** The reason why nothing can be changed. */
  refusal: string | null;
  history: GraphHistory;
  isTidying: boolean;
  onLink: () => void;
  onUnlink: () => void;
  onTidy: () => void;
  onNew: () => void;
};

/** The number of missions that run, and the tools of the graph, each with its key. */
export function GraphToolbar(props: GraphToolbarProps) {
  const { running, selected, refusal, history, isTidying, onLink, onUnlink, onTidy, onNew } = props;
  const hints = useHints();
  const closed = refusal !== null || history.pending;
  const said = running === 0 ? t("mission_graph.none_running") : t("mission_graph.running", { count: running });
  const ofOne = { disabled: closed || selected === undefined };
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t("mission_graph.graph")}>
      <span className={styles.running} title={said}>
        {running > 0 && <MissionMark state="active" running />}
        <span className={styles.said}>{said}</span>
      </span>
      <IconButton
        label={t("mission_graph.undo")}
        Icon={Undo2}
        keys={hints.title("mission_undo")}
        disabled={closed || !history.canUndo}
        testId="graph-undo"
        onClick={history.undo}
      />
      <IconButton
        label={t("mission_graph.redo")}
        Icon={Redo2}
        keys={hints.title("mission_redo")}
        disabled={closed || !history.canRedo}
        testId="graph-redo"
        onClick={history.redo}
      />
      <IconButton
        {...ofOne}
        label={t("mission_graph.unlink")}
        Icon={Unlink2}
        keys={hints.title("mission_unlink")}
        testId="graph-unlink"
        onClick={onUnlink}
      />
      <Button
        {...ofOne}
        look="quiet"
        title={hints.beside(t("mission_graph.link"), "mission_link")}
        data-testid="graph-link"
        onClick={onLink}
      >
        <Link2 aria-hidden="true" />
        <span className={styles.word}>{t("mission_graph.link")}</span>
      </Button>
      <Button
        look="quiet"
        title={hints.beside(t("mission_graph.tidy"), "mission_tidy")}
        data-testid="graph-tidy"
        disabled={refusal !== null}
        onClick={onTidy}
      >
        <WandSparkles aria-hidden="true" />
        <span className={styles.word}>{t(isTidying ? "mission_graph.tidying" : "mission_graph.tidy")}</span>
      </Button>
      <Button
        title={refusal ?? hints.beside(t("missions.new"), "mission_new")}
        disabled={refusal !== null}
        data-testid="mission-new"
        onClick={onNew}
      >
        <Plus aria-hidden="true" />
        <span className={styles.word}>{t("mission_graph.new")}</span>
      </Button>
    </div>
  );
}
