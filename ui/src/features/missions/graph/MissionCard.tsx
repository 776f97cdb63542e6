import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { LockKeyhole, TriangleAlert, Unplug } from "lucide-react";
import type { MissionNode } from "../../../generated/bindings/MissionNode";
import { t } from "../../../locales/i18n";
import styles from "./MissionCard.module.css";
import { MissionMark } from "./MissionMark";
import type { NodeLock } from "./node-lock";
import { CodeWords } from "../../../design/components/CodeWords";
import { footOf, sentenceOf } from "./node-words";

/** A mission in the graph. */
export type MissionFlowNode = Node<{ node: MissionNode; mayConnect: boolean; lock: NodeLock | null }, "mission">;

/** A mission that an edge names and that there is not. */
export type MissingFlowNode = Node<{ id: string }, "missing">;

/** Title, id, the one sentence, and what it moves (U-1001). */
export const MissionCard = memo(function MissionCard({ data, selected }: NodeProps<MissionFlowNode>) {
  const { node, mayConnect, lock } = data;
  const { id, title, state, goal, goals, goals_done, errors, warnings } = node;
  const [sentence, foot] = [sentenceOf(node), footOf(node)];
  return (
    <div
      className={styles.card}
      data-state={state}
      data-running={goal !== null}
      data-selected={selected}
      data-testid={`node-${id}`}
    >
      <Handle type="target" position={Position.Top} isConnectable={mayConnect} className={styles.handle ?? ""} />
      <div className={styles.head}>
        <MissionMark state={state} running={goal !== null} />
        <span className={styles.title} title={title}>
          {title}
        </span>
        <Problems errors={errors} warnings={warnings} />
      </div>
      <div className={styles.id} title={id}>
        {id}
      </div>
      <p className={styles.sentence} title={sentence}>
        <CodeWords text={sentence} />
      </p>
      {goal !== null && goals > 0 && (
        <progress className={styles.meter} max={goals} value={goals_done} aria-label={t("missions.goals")} />
      )}
      <div className={styles.foot} title={foot}>
        {lock !== null && (
          <span className={styles.lock} title={lock.sentence} data-lock={lock.is} data-testid={`lock-${id}`}>
            <LockKeyhole aria-hidden="true" />
            {lock.words}
          </span>
        )}
        {foot}
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={mayConnect} className={styles.handle ?? ""} />
    </div>
  );
});

/** The worst symbol and the count of what is wrong with the file (ME-09). */
function Problems({ errors, warnings }: { errors: number; warnings: number }) {
  if (errors + warnings === 0) return null;
  const count = errors > 0 ? errors : warnings;
  return (
    <span className={styles.problems} data-severity={errors > 0 ? "error" : "warning"}>
      <TriangleAlert aria-hidden="true" />
      {count}
    </span>
  );
}

/** The place of a mission that there is not: an edge leads nowhere otherwise. */
export const MissingCard = memo(function MissingCard({ data: { id } }: NodeProps<MissingFlowNode>) {
  return (
    <div className={styles.card} data-state="missing" data-testid={`node-${id}`}>
      <Handle type="target" position={Position.Top} isConnectable={false} className={styles.handle ?? ""} />
      <div className={styles.head}>
        <Unplug className={styles.missing} aria-hidden="true" />
        <span className={styles.title}>{id}</span>
      </div>
      <p className={styles.sentence}>{t("missions.missing")}</p>
      <Handle type="source" position={Position.Bottom} isConnectable={false} className={styles.handle ?? ""} />
    </div>
  );
});
