import type { MissionDetail } from "../../../generated/bindings/MissionDetail";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import type { MissionKey } from "../../../generated/bindings/MissionKey";
import type { MissionProblem } from "../../../generated/bindings/MissionProblem";
import { Notice } from "../../../design/components/Notice";
import { Refusal } from "../../../design/components/Refusal";
import { problemLine } from "../../../domain/mission/problem-words";
import { useCommandRefusal } from "../../../domain/station/useCommandRefusal";
import { useRows } from "../../../domain/station/useRows";
import { t } from "../../../locales/i18n";
import type { MissionEdit } from "../graph/file-writes";
import type { GraphHistory } from "../graph/useGraphHistory";
import { isDirty, useBuffer, useBufferKey } from "../mission-buffers";
import { RestoreFile } from "../RestoreFile";
import {
  ApprovalGroup,
  FailureGroup,
  GoalsGroup,
  type GroupProps,
  WhenGroup,
  WhoGroup,
  WorldGroup,
} from "./FormGroups";
import styles from "./MissionForm.module.css";
import { offersOf } from "./offers";
import { type Settling, SettlingContext, useSettling } from "./settling";

type MissionFormProps = { mission: MissionDetail; graph: MissionGraph; history: GraphHistory };

/** The front matter of a mission as fields. Each change is saved at once, touches its own key alone, and can be undone. */
export function MissionForm({ mission, graph, history }: MissionFormProps) {
  const { id, form, source } = mission;
  const buffer = useBuffer(useBufferKey(id));
  const operator = useCommandRefusal();
  const settling = useSettling(mission.hash, history);
  if (source === null) return <RestoreFile mission={mission} history={history} />;
  if (form === undefined) return <Notice title={t("mission_form.no_yaml")} detail={t("mission_form.no_yaml_detail")} />;
  const isTyped = buffer !== undefined && isDirty(buffer);
  const disabled = operator !== null || isTyped;
  const file = mission.hash === null ? null : { hash: mission.hash, source };
  const save = (...edits: MissionEdit[]) => history.edit(id, edits, file);
  return (
    <div className={styles.form} data-testid="mission-form">
      {isTyped && <Notice title={t("mission_form.typed")} detail={t("mission_form.typed_detail")} />}
      {operator !== null && <p className={styles.hint}>{operator}</p>}
      <SettlingContext value={settling}>
        <Fields form={form} mission={mission} graph={graph} disabled={disabled} settling={settling} save={save} />
      </SettlingContext>
      <Refusal error={history.error} />
    </div>
  );
}

type FieldsProps = {
  form: readonly MissionKey[];
  mission: MissionDetail;
  graph: MissionGraph;
  disabled: boolean;
  settling: Settling;
  save: (...edits: MissionEdit[]) => void;
};

/** The keys by what they are about, so that each is found at the same place of every mission. */
function Fields({ form, mission, graph, disabled, settling, save }: FieldsProps) {
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  const keyOf = (name: string) => {
    const of = form.find((one) => one.key === name);
    // A key that reads well may still be wrong in its place, and the compiler says so in the window's language.
    return { name, disabled, save, of: of && { ...of, problem: problemOf(mission, name) ?? of.problem } };
  };
  const group: GroupProps = {
    keyOf,
    settling,
    offers: offersOf(mission.robots, robots, graph),
    others: graph.nodes.map((node) => node.id).filter((other) => other !== mission.id),
  };
  return (
    <>
      <WhoGroup {...group} title={mission.title} robots={robots.map(({ id }) => id)} />
      <WhenGroup {...group} />
      <GoalsGroup {...group} />
      <WorldGroup {...group} />
      <ApprovalGroup {...group} />
      <FailureGroup {...group} />
      <p className={styles.hint}>{t("mission_form.rest")}</p>
    </>
  );
}

/** The first error of the compiled text about a key. */
function problemOf({ problems }: MissionDetail, name: string): string | null {
  const isOf = ({ severity, key }: MissionProblem) =>
    severity === "error" && key !== null && (key === name || key.startsWith(`${name}.`) || key.startsWith(`${name}[`));
  const found = problems.find(isOf);
  return found === undefined ? null : problemLine(found);
}
