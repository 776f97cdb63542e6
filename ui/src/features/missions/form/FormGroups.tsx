import { type ReactNode, useId } from "react";
import { t } from "../../../locales/i18n";
import type { MissionEdit } from "../graph/file-writes";
import { ChipList } from "./ChipList";
import { EntryList } from "./EntryList";
import type { ListKey } from "./entry-kinds";
import { FailureField } from "./FailureField";
import { FallbackFields } from "./FallbackFields";
import { type KeyProps, LineKey, listOf, PickKey, ValueKey } from "./KeyFields";
import styles from "./MissionForm.module.css";
import type { Offers } from "./offers";
import type { Settling } from "./settling";

export type GroupProps = {
  /** The key of this name, as the file has it. */
  keyOf: (name: string) => KeyProps;
  settling: Settling;
  offers: Offers;
  /** The other missions. */
  others: readonly string[];
};

const APPROVALS = ["ask", "activation"] as const;
const ZONES: readonly string[] = Intl.supportedValuesOf("timeZone");

/** Its name, its robots, what it keeps for itself, and the limits it adds. */
export function WhoGroup({ title, robots, ...group }: GroupProps & { title: string; robots: readonly string[] }) {
  const { keyOf, others, settling } = group;
  return (
    <Group name="who">
      <LineKey {...keyOf("title")} label={t("mission_form.title")} placeholder={title} />
      <Names {...keyOf("robots")} list="robots" options={robots} settling={settling} />
      <Entries {...group} list="resources" />
      <Entries {...group} list="constraints" />
      <PickKey
        {...keyOf("parent")}
        label={t("mission_form.parent")}
        help={t("mission_form.help.parent")}
        unset=""
        options={[{ value: "", text: t("mission_form.no_parent") }, ...others.map((id) => ({ value: id, text: id }))]}
        settling={settling}
      />
    </Group>
  );
}

/** Its starts, its jobs, and its end. */
export function WhenGroup(group: GroupProps) {
  const { keyOf, others, settling } = group;
  return (
    <Group name="when">
      <Names {...keyOf("depends_on")} list="depends_on" options={others} settling={settling} />
      <Entries {...group} list="triggers" />
      <Entries {...group} list="preconditions" />
      <Entries {...group} list="schedule" />
      <LineKey
        {...keyOf("expires")}
        label={t("mission_form.expires")}
        placeholder={t("mission_form.never")}
        help={t("mission_form.help.expires")}
      />
      <LineKey
        {...keyOf("time_zone")}
        label={t("mission_form.time_zone")}
        placeholder={t("mission_form.stations_zone")}
        help={t("mission_form.help.time_zone")}
        suggestions={ZONES}
      />
    </Group>
  );
}

export function GoalsGroup(group: GroupProps) {
  return (
    <Group name="goals">
      <Entries {...group} list="goals" />
      <LineKey
        {...group.keyOf("completes_when")}
        label={t("mission_form.completes_when")}
        placeholder={t("mission_form.example", { value: "gate.status = 'closed'" })}
        help={t("mission_form.help.completes_when")}
        isCode
      />
    </Group>
  );
}

/** The entries of the world that it reads, and the rules over them. */
export function WorldGroup(group: GroupProps) {
  return (
    <Group name="world">
      <Entries {...group} list="providers" />
      <Entries {...group} list="alerts" />
    </Group>
  );
}

export function ApprovalGroup(group: GroupProps) {
  const { keyOf, settling } = group;
  return (
    <Group name="approval">
      <PickKey
        {...keyOf("approval")}
        label={t("mission_form.approval")}
        help={t("mission_form.help.approval")}
        unset="ask"
        options={APPROVALS.map((value) => ({ value, text: t(`mission_form.approval_${value}`) }))}
        settling={settling}
      />
      <Entries {...group} list="envelope" />
      <LineKey
        {...keyOf("budget_usd")}
        label={t("mission_form.budget_usd")}
        placeholder={t("mission_form.no_budget")}
        help={t("mission_form.help.budget_usd")}
        isNumber
      />
    </Group>
  );
}

/** The answer to a goal that failed, and to failures of its robots. */
export function FailureGroup({ keyOf, others, settling }: GroupProps) {
  const { of, disabled, save } = keyOf("on_failure");
  return (
    <Group name="failure">
      <FailureField of={of} missions={others} disabled={disabled} save={save} />
      <FallbackFields {...keyOf("fallbacks")} settling={settling} />
    </Group>
  );
}

type GroupName = "who" | "when" | "goals" | "world" | "approval" | "failure";

function Group({ name, children }: { name: GroupName; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.group} data-testid={`form-group-${name}`}>
      <h3 id={id} className={styles.heading}>
        {t(`mission_form.group_${name}`)}
      </h3>
      {children}
    </section>
  );
}

type NamesProps = KeyProps & { list: "depends_on" | "robots"; options: readonly string[]; settling: Settling };

function Names({ list, options, settling, ...key }: NamesProps) {
  const { name, of, disabled, save } = key;
  return (
    <ValueKey {...key} label={t(`mission_form.${list}`)} value={listOf(of)}>
      {(values) => (
        <ChipList
          label={t(`mission_form.${list}`)}
          values={values.map(textOf)}
          options={options}
          disabled={disabled}
          problem={of?.problem ?? null}
          testId={`form-${list}`}
          settling={settling}
          onAdd={(index, value) => save({ insert_entry: { key: name, index, value } })}
          onRemove={(index) => save({ remove_entry: { key: name, index } })}
        />
      )}
    </ValueKey>
  );
}

type EntriesProps = Pick<GroupProps, "keyOf" | "settling" | "offers"> & { list: ListKey };

function Entries({ list, keyOf, settling, offers }: EntriesProps) {
  const key = keyOf(list);
  const { of, disabled, save } = key;
  const help: Record<string, string> = t("mission_form.help", { returnObjects: true });
  return (
    <ValueKey {...key} label={t(`mission_form.${list}`)} value={listOf(of)}>
      {(values) => (
        <EntryList
          {...{ list, values, disabled, settling, ...offers }}
          help={help[list]}
          problem={of?.problem ?? null}
          onInsert={(index, value) => save({ insert_entry: { key: list, index, value } })}
          onReplace={(index, value) => save({ replace_entry: { key: list, index, value } })}
          onRemove={(index, of) => save(...removal(list, index, of))}
          onMove={(index, to) => save({ move_entry: { key: list, index, to } })}
        />
      )}
    </ValueKey>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Lists that read well while they are empty. */
const MAY_BE_EMPTY: ReadonlySet<ListKey> = new Set(["goals", "preconditions"]);

/** An empty list takes nothing away from triggers and limits, and says nothing of the rest, so it goes with its last. */
function removal(key: ListKey, index: number, of: number): MissionEdit[] {
  return of === 1 && !MAY_BE_EMPTY.has(key) ? [{ remove: { key } }] : [{ remove_entry: { key, index } }];
}
