import type { MissionDetail } from "../../../generated/bindings/MissionDetail";
import type { MissionGraph } from "../../../generated/bindings/MissionGraph";
import type { MissionKey } from "../../../generated/bindings/MissionKey";
import { Notice } from "../../../design/components/Notice";
import { Refusal } from "../../../design/components/Refusal";
import { useCommandRefusal } from "../../../domain/station/useCommandRefusal";
import { useRows } from "../../../domain/station/useRows";
import { t } from "../../../locales/i18n";
import type { GraphHistory, MissionEdit } from "../graph/useGraphHistory";
import { isDirty, useBuffer, useBufferKey } from "../mission-buffers";
import { ChipList } from "./ChipList";
import { CommitField } from "./CommitField";
import { EntryList } from "./EntryList";
import { FailureField } from "./FailureField";
import { type ListKey, valueOfText } from "./form-entries";
import styles from "./MissionForm.module.css";
import { type Settling, SettlingContext, settlingOf } from "./settling";

type MissionFormProps = { mission: MissionDetail; graph: MissionGraph; history: GraphHistory };

/** The lists of entries after the goals, in the order of the form. */
const LISTS: readonly ListKey[] = ["triggers", "preconditions", "constraints"];

/** The front matter of a mission as fields. Each change is saved at once, touches its own key alone, and can be undone. */
export function MissionForm({ mission, graph, history }: MissionFormProps) {
  const { id, form, source } = mission;
  const buffer = useBuffer(useBufferKey(id));
  const operator = useCommandRefusal();
  if (source === null) return <Notice title={t("missions.no_text")} />;
  if (form === undefined) return <Notice title={t("mission_form.no_yaml")} detail={t("mission_form.no_yaml_detail")} />;
  const isTyped = buffer !== undefined && isDirty(buffer);
  const disabled = operator !== null || isTyped;
  const settling = settlingOf(mission.hash, history);
  const save = (...edits: MissionEdit[]) => history.edit(id, edits, mission.hash);
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

function Fields({ form, mission, graph, disabled, settling, save }: FieldsProps) {
  const robots = useRows("robots", "list_robots", {}).data?.rows ?? [];
  const keyOf = (key: string) => form.find((one) => one.key === key);
  const line = (key: "title" | "expires") => (
    <TextKey
      label={t(`mission_form.${key}`)}
      of={keyOf(key)}
      name={key}
      placeholder={key === "title" ? mission.title : t("mission_form.never")}
      disabled={disabled}
      save={save}
    />
  );
  const chips = (key: "depends_on" | "robots", options: readonly string[]) => (
    <ListKeyField of={keyOf(key)} name={key} disabled={disabled} save={save}>
      {(values) => (
        <ChipList
          label={t(`mission_form.${key}`)}
          values={values.map(textOf)}
          options={options}
          disabled={disabled}
          problem={keyOf(key)?.problem ?? null}
          testId={`form-${key}`}
          settling={settling}
          onAdd={(index, value) => save({ insert_entry: { key, index, value } })}
          onRemove={(index) => save({ remove_entry: { key, index } })}
        />
      )}
    </ListKeyField>
  );
  const entries = (list: ListKey) => (
    <Entries key={list} list={list} of={keyOf(list)} disabled={disabled} settling={settling} save={save} />
  );
  const others = graph.nodes.map((node) => node.id).filter((other) => other !== mission.id);
  return (
    <>
      {line("title")}
      {entries("goals")}
      {chips("depends_on", others)}
      {chips(
        "robots",
        robots.map((robot) => robot.id),
      )}
      {LISTS.map(entries)}
      <div className={styles.pair}>
        {line("expires")}
        <FailureField of={keyOf("on_failure")} missions={others} disabled={disabled} save={save} />
      </div>
      <p className={styles.hint}>{t("mission_form.rest")}</p>
    </>
  );
}

type KeyProps = {
  of: MissionKey | undefined;
  disabled: boolean;
  save: (...edits: MissionEdit[]) => void;
};

/** A key whose value is one line. An empty one is taken out of the file. */
function TextKey({
  label,
  of,
  name,
  placeholder,
  disabled,
  save,
}: KeyProps & { label: string; name: string; placeholder: string }) {
  return (
    <CommitField
      label={label}
      value={of === undefined ? "" : typeof of.value === "string" ? of.value : of.text}
      problem={of?.problem ?? null}
      placeholder={placeholder}
      disabled={disabled}
      testId={`form-${name}`}
      onCommit={(value) =>
        value.trim() === "" ? save({ remove: { key: name } }) : save({ set: { key: name, value: value.trim() } })
      }
    />
  );
}

/** A list of a file as its entries, or as text where it is no list. */
function ListKeyField({
  of,
  name,
  disabled,
  save,
  children,
}: KeyProps & { name: string; children: (values: readonly unknown[]) => React.ReactNode }) {
  const value = of?.value ?? [];
  if (Array.isArray(value)) return children(value);
  return (
    <CommitField
      label={name}
      isCode
      value={of?.text ?? ""}
      problem={of?.problem ?? null}
      disabled={disabled}
      testId={`form-${name}`}
      onCommit={(text) => save({ set: { key: name, value: valueOfText(text) } })}
    />
  );
}

function Entries({ list, of, disabled, settling, save }: KeyProps & { list: ListKey; settling: Settling }) {
  return (
    <ListKeyField of={of} name={list} disabled={disabled} save={save}>
      {(values) => (
        <EntryList
          list={list}
          values={values}
          problem={of?.problem ?? null}
          disabled={disabled}
          settling={settling}
          onInsert={(index, value) => save({ insert_entry: { key: list, index, value } })}
          onReplace={(index, value) => save({ replace_entry: { key: list, index, value } })}
          onRemove={(index, of) => save(...removal(list, index, of))}
          onMove={(index, to) => save({ move_entry: { key: list, index, to } })}
        />
      )}
    </ListKeyField>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An empty list takes nothing away from triggers and limits, so their last entry goes with its key. */
function removal(key: ListKey, index: number, of: number): MissionEdit[] {
  const isLast = of === 1 && (key === "triggers" || key === "constraints");
  return isLast ? [{ remove: { key } }] : [{ remove_entry: { key, index } }];
}
