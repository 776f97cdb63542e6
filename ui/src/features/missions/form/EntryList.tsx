import { Plus, X } from "lucide-react";
import { Button } from "../../../design/components/Button";
import { IconButton } from "../../../design/components/IconButton";
import { t } from "../../../locales/i18n";
import { CommitField } from "./CommitField";
import { emptyOf, type EntryForm, formOf, jsonOf, KINDS, type ListKey, type Part, valueOf } from "./form-entries";
import styles from "./MissionForm.module.css";
import { readMotion, writeMotion } from "./motion-input";
import { MotionFields } from "./MotionFields";
import { MoveHandle } from "./MoveHandle";
import { type HandleActs, useReorder } from "./useReorder";
import { EntryContext, entryText, type Settling, useSent } from "./settling";

type EntryListProps = {
  list: ListKey;
  values: readonly unknown[];
  problem: string | null;
  disabled: boolean;
  settling: Settling;
  onInsert: (index: number, value: unknown) => void;
  onReplace: (index: number, value: unknown) => void;
  /** `of` is the number of entries that the list has by then, this one among them. */
  onRemove: (index: number, of: number) => void;
  onMove: (from: number, to: number) => void;
};

/** A list of a mission file: entries are added, changed, removed, and moved by dragging or by the arrow keys. */
export function EntryList(props: EntryListProps) {
  const { list, values: inFile, problem, disabled, settling } = props;
  // Places count in the list as it was last sent, because edits are made one after the other.
  const { value: values, send } = useSent(inFile, settling);
  const onMove = (from: number, to: number) => {
    send(values.toSpliced(from, 1).toSpliced(to, 0, values[from]));
    props.onMove(from, to);
  };
  const onInsert = (index: number, value: unknown) => {
    send(values.toSpliced(index, 0, value));
    props.onInsert(index, value);
  };
  const onReplace = (index: number, value: unknown) => {
    send(values.with(index, value));
    props.onReplace(index, value);
  };
  const onRemove = (index: number) => {
    // The next entry comes under the pointer at once: a double click takes one of them only.
    if (values.length < inFile.length) return;
    send(values.toSpliced(index, 1));
    props.onRemove(index, values.length);
  };
  const order = useReorder({ count: values.length, disabled, onMove });
  const first = KINDS[list][0];
  return (
    <section aria-label={t(`mission_form.${list}`)} className={styles.section}>
      <h3 className={styles.title}>{t(`mission_form.${list}`)}</h3>
      {values.length > 0 && (
        <ol className={styles.entries} data-testid={`form-${list}`}>
          {values.map((value, at) => (
            // Entries have no id; a typed text remembers the entry that it was typed over instead.
            <li key={at} className={styles.entry} {...order.entry(at)}>
              <Entry
                {...{ list, at, value, disabled, onReplace, onRemove }}
                of={values.length}
                handle={order.handle(at)}
              />
            </li>
          ))}
        </ol>
      )}
      {problem !== null && (
        <p className={styles.problem} data-testid={`form-${list}-problem`}>
          {problem}
        </p>
      )}
      <div>
        <Button
          size="row"
          look="quiet"
          data-testid={`form-${list}-add`}
          disabled={disabled}
          onClick={() => onInsert(values.length, emptyOf(list, first?.kind ?? ""))}
        >
          <Plus aria-hidden="true" /> {t(`mission_form.add_${list}`)}
        </Button>
      </div>
    </section>
  );
}

type EntryProps = Pick<EntryListProps, "list" | "disabled" | "onReplace"> & {
  onRemove: (index: number) => void;
  at: number;
  /** Number of entries in its list. */
  of: number;
  value: unknown;
  handle: HandleActs;
};

/** One entry with its handle, its kind, its parts, and the button that removes it. */
function Entry({ list, at, of, value, disabled, handle, onReplace, onRemove }: EntryProps) {
  const form = formOf(list, value);
  const put = (changed: EntryForm) => {
    const written = valueOf(list, changed, value);
    if (written !== null) onReplace(at, written.value);
  };
  const name = t("mission_form.entry", { number: at + 1, of });
  return (
    <EntryContext value={entryText(value)}>
      <MoveHandle entry={name} testId={`form-${list}-${at + 1}-move`} acts={handle} />
      <div className={styles.parts}>
        {form === null ? (
          <code className={styles.other}>{JSON.stringify(value)}</code>
        ) : (
          <Parts
            list={list}
            at={at}
            form={form}
            disabled={disabled}
            onPut={put}
            onKind={(kind) => onReplace(at, emptyOf(list, kind))}
          />
        )}
      </div>
      <IconButton
        label={t("mission_form.remove", { entry: name })}
        Icon={X}
        disabled={disabled}
        testId={`form-${list}-${at + 1}-remove`}
        onClick={() => onRemove(at)}
      />
    </EntryContext>
  );
}

/** The input of a step, if it is JSON. */
function inputOf({ parts }: EntryForm): unknown {
  return jsonOf(parts["input"] ?? "") ?? null;
}

/** The reason for which JSON is not saved. */
function jsonRefusal(typed: string): string | null {
  return jsonOf(typed) === undefined ? t("mission_form.no_json") : null;
}

type PartsProps = {
  list: ListKey;
  at: number;
  form: EntryForm;
  disabled: boolean;
  onPut: (form: EntryForm) => void;
  onKind: (kind: string) => void;
};

/** The kind of an entry, where there are several, and its parts. */
function Parts({ list, at, form, disabled, onPut, onKind }: PartsProps) {
  const kinds = KINDS[list];
  const kind = kinds.find((one) => one.kind === form.kind);
  const words: Record<string, string> = t("mission_form.kinds", { returnObjects: true });
  const labels: Record<string, string> = t("mission_form.parts", { returnObjects: true });
  const putPart = (name: string, value: string) => onPut({ ...form, parts: { ...form.parts, [name]: value } });
  const input = form.parts["operation"] === "send_command" ? inputOf(form) : null;
  const motion = input === null ? null : readMotion(input);
  const field = ({ name, is, optional }: Part) => (
    <CommitField
      key={name}
      label={labels[name] ?? name}
      isLabelHidden
      isCode={is !== "text"}
      value={form.parts[name] ?? ""}
      placeholder={optional === true ? labels[name] : undefined}
      problem={null}
      disabled={disabled}
      testId={`form-${list}-${at + 1}-${name}`}
      {...(is === "json" ? { refuse: jsonRefusal } : {})}
      onCommit={(value) => putPart(name, value)}
    />
  );
  return (
    <>
      {kinds.length > 1 && (
        <select
          className={styles.kind}
          aria-label={t("mission_form.kind")}
          data-testid={`form-${list}-${at + 1}-kind`}
          value={form.kind}
          disabled={disabled}
          onChange={(event) => onKind(event.target.value)}
        >
          {kinds.map((one) => (
            <option key={one.kind} value={one.kind}>
              {words[`${list}_${one.kind}`]}
            </option>
          ))}
        </select>
      )}
      {kind?.parts.map((part) =>
        part.name === "input" && motion !== null ? (
          <MotionFields
            key={part.name}
            motion={motion}
            testId={`form-${list}-${at + 1}-input`}
            disabled={disabled}
            onChange={(changed) => putPart("input", JSON.stringify(writeMotion(input, changed)))}
          />
        ) : (
          field(part)
        ),
      )}
    </>
  );
}
