import { Plus, X } from "lucide-react";
import { Button } from "../../../design/components/Button";
import { IconButton } from "../../../design/components/IconButton";
import { t } from "../../../locales/i18n";
import { emptyOf, KINDS, LABELLED, type ListKey } from "./entry-kinds";
import { type EntryForm, formOf, jsonOf, valueOf } from "./form-entries";
import styles from "./MissionForm.module.css";
import { readMotion, writeMotion } from "./motion-input";
import { MotionFields } from "./MotionFields";
import { MoveHandle } from "./MoveHandle";
import { PartField } from "./PartField";
import { type HandleActs, useReorder } from "./useReorder";
import { EntryContext, entryText, type Settling, useSent } from "./settling";

type EntryListProps = {
  list: ListKey;
  values: readonly unknown[];
  problem: string | null;
  disabled: boolean;
  settling: Settling;
  help?: string | undefined;
  /** Parts of a new entry that fit this mission. */
  given?: Readonly<Record<string, unknown>>;
  /** Values that are offered for parts, by their names. */
  suggestions?: Suggestions;
  onInsert: (index: number, value: unknown) => void;
  onReplace: (index: number, value: unknown) => void;
  /** `of` is the number of entries that the list has by then, this one among them. */
  onRemove: (index: number, of: number) => void;
  onMove: (from: number, to: number) => void;
};

const NOTHING = {};

type Suggestions = Readonly<Record<string, readonly string[]>>;

/** A list of a mission file: entries are added, changed, removed, and moved by dragging or by the arrow keys. */
export function EntryList(props: EntryListProps) {
  const { list, values: inFile, problem, disabled, settling, help, given = NOTHING, suggestions = NOTHING } = props;
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
      <h4 className={styles.title}>{t(`mission_form.${list}`)}</h4>
      {help !== undefined && <p className={styles.hint}>{help}</p>}
      {values.length > 0 && (
        <ol className={styles.entries} data-testid={`form-${list}`}>
          {values.map((value, at) => (
            // Entries have no id; a typed text remembers the entry that it was typed over instead.
            <li key={at} className={styles.entry} {...order.entry(at)}>
              <Entry
                {...{ list, at, value, disabled, given, suggestions, onReplace, onRemove }}
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
          onClick={() => onInsert(values.length, emptyOf(list, first?.kind ?? "", given))}
        >
          <Plus aria-hidden="true" /> {t(`mission_form.add_${list}`)}
        </Button>
      </div>
    </section>
  );
}

type EntryProps = Pick<EntryListProps, "list" | "disabled" | "onReplace"> & {
  given: Readonly<Record<string, unknown>>;
  suggestions: Suggestions;
  onRemove: (index: number) => void;
  at: number;
  /** Number of entries in its list. */
  of: number;
  value: unknown;
  handle: HandleActs;
};

/** One entry with its handle, its kind, its parts, and the button that removes it. */
function Entry({ list, at, of, value, disabled, given, suggestions, handle, onReplace, onRemove }: EntryProps) {
  const form = formOf(list, value);
  const put = (changed: EntryForm) => {
    const written = valueOf(list, changed, value);
    if (written !== null) onReplace(at, written.value);
  };
  const name = t("mission_form.entry", { number: at + 1, of });
  return (
    <EntryContext value={entryText(value)}>
      <MoveHandle entry={name} testId={`form-${list}-${at + 1}-move`} acts={handle} />
      <div className={LABELLED.has(list) ? styles.labelled : styles.parts}>
        {form === null ? (
          <code className={styles.other}>{JSON.stringify(value)}</code>
        ) : (
          <Parts
            list={list}
            at={at}
            form={form}
            disabled={disabled}
            suggestions={suggestions}
            onPut={put}
            onKind={(kind) => onReplace(at, emptyOf(list, kind, given))}
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

type PartsProps = {
  list: ListKey;
  at: number;
  form: EntryForm;
  disabled: boolean;
  suggestions: Suggestions;
  onPut: (form: EntryForm) => void;
  onKind: (kind: string) => void;
};

/** The kind of an entry, where there are several, and its parts. */
function Parts({ list, at, form, disabled, suggestions, onPut, onKind }: PartsProps) {
  const kinds = KINDS[list];
  const kind = kinds.find((one) => one.kind === form.kind);
  const words: Record<string, string> = t("mission_form.kinds", { returnObjects: true });
  const putPart = (name: string, value: string) => onPut({ ...form, parts: { ...form.parts, [name]: value } });
  const input = form.parts["operation"] === "send_command" ? inputOf(form) : null;
  const motion = input === null ? null : readMotion(input);
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
          <PartField
            key={part.name}
            part={part}
            value={form.parts[part.name] ?? ""}
            isLabelled={LABELLED.has(list)}
            disabled={disabled}
            suggestions={suggestions[part.name]}
            testId={`form-${list}-${at + 1}-${part.name}`}
            onCommit={(value) => putPart(part.name, value)}
          />
        ),
      )}
    </>
  );
}
