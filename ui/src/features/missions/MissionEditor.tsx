import { lazy, useEffect, useRef, useState } from "react";
import type { MissionProblem } from "../../generated/bindings/MissionProblem";
import { Button } from "../../design/components/Button";
import { LazyPart } from "../../design/components/LazyPart";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import { useRested } from "../../design/fields/useRested";
import { endedLike, plainEnds } from "../../design/editor/line-ends";
import type { TextMark } from "../../design/editor/TextEditor";
import { problemLine } from "../../domain/mission/problem-words";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { toHostError } from "../../host/host";
import { t } from "../../locales/i18n";
import { CompareDialog } from "./CompareDialog";
import { presentIn } from "./graph/file-writes";
import type { FileText } from "./graph/history";
import { useKeptHistory } from "./graph/useKeptHistory";
import { conflictsIn, mergeTexts } from "./merge";
import { type Buffer, editorMemory, isDirty, setBuffer, setSaved, useBufferKey } from "./mission-buffers";
import styles from "./Missions.module.css";
import type { TextPlace } from "./MissionText";

const TextEditor = lazy(() =>
  import("../../design/editor/TextEditor").then((module) => ({ default: module.TextEditor })),
);

/** A text that has rested this long is validated, ms. */
const REST_MS = 200;

type MissionEditorProps = {
  id: string;
  buffer: Buffer;
  /** The file as it stands in the folder; null while it is not there. */
  file: FileText | null;
  /** Lines that a problem led to. */
  place: TextPlace | null;
};

/**
 * The text of a mission as it is changed: validated by the station while it is typed, saved by button or Ctrl+S. A file
 * that changes meanwhile is never written over unasked (ME-08).
 */
export function MissionEditor({ id, buffer, file, place }: MissionEditorProps) {
  const key = useBufferKey(id);
  const operator = useCommandRefusal();
  const { theirs, comparing, compare, choose, save } = useFileOf(id, buffer, file);
  const { base, text } = buffer;
  const dirty = isDirty(buffer);
  const { marks, error } = useMarks(id, text);
  const conflicts = conflictsIn(text);
  const blocked = !dirty || operator !== null || theirs !== null || conflicts > 0;
  const run = () => {
    // Ctrl+S does not go through the disabled button.
    if (!blocked) save.run();
  };
  const change = (changed: string) => {
    // The editor ends every line alike: what it says of a text that nobody has touched is no change.
    if (changed !== plainEnds(text)) setBuffer(key, { base, text: endedLike(base.source, changed) });
  };
  return (
    <>
      {theirs !== null && dirty && (
        <Theirs
          file={`${id}.md`}
          buffer={buffer}
          theirs={theirs}
          comparing={comparing}
          onCompare={compare}
          onChoose={choose}
        />
      )}
      <LazyPart className={styles.line} wait={t("common.loading", { what: t("missions.text") })}>
        <TextEditor
          label={t("missions.text_of", { file: `${id}.md` })}
          value={text}
          marks={marks}
          lines={place}
          onChange={change}
          onSave={run}
          memory={editorMemory(key)}
        />
      </LazyPart>
      <div className={styles.acts}>
        <Button
          look="primary"
          data-testid="mission-save"
          title={operator ?? undefined}
          disabled={blocked || save.pending}
          onClick={run}
        >
          {save.pending ? t("hold.sending") : t("missions.save")}
        </Button>
        <Button look="quiet" data-testid="mission-edit-close" onClick={() => setBuffer(key, null)}>
          {t(dirty ? "missions.discard" : "common.close")}
        </Button>
        <span className={styles.hint} role="status">
          {conflicts > 0
            ? t("missions.conflicts", { count: conflicts })
            : t(dirty ? "missions.not_saved" : "missions.saved")}
        </span>
        <Refusal error={save.error} />
      </div>
      {error !== null && (
        <div className={styles.line} role="status" data-testid="mission-not-validated">
          {t("missions.not_validated")} <Refusal error={error} />
        </div>
      )}
    </>
  );
}

/** A text with its file: saving it as a step that can be undone, and the text that somebody else has put there meanwhile. */
function useFileOf(id: string, buffer: Buffer, file: FileText | null) {
  const key = useBufferKey(id);
  const { record } = useKeptHistory();
  const sent = useRef<FileText | null>(null);
  const call = useOperation("save_mission", (_, { hash, source }) =>
    record({ kind: "text", id, before: sent.current, after: { hash, source } }),
  );
  // Hashes of texts that newer ones of this window have followed: the file may show one of them for a moment.
  const [followed, setFollowed] = useState<readonly string[]>([]);
  // A text that a refusal has told of, before the file does.
  const [met, setMet] = useState<FileText | null>(null);
  const [comparing, compare] = useState(false);
  const { base, text } = buffer;
  const dirty = isDirty(buffer);
  // Once the file has the newest of them, an older one is somebody's change back to it.
  if (file?.hash === base.hash && followed.length > 0) setFollowed([]);
  const other = file !== null && file.hash !== base.hash && !followed.includes(file.hash) ? file : null;
  const theirs = other ?? (met?.hash === base.hash ? null : met);

  // Synchronises with the file: a clean text follows it.
  useEffect(() => {
    if (other !== null && !dirty) setBuffer(key, { base: other, text: other.source });
  }, [key, other, dirty]);

  const follow = () => {
    setFollowed((before) => [...before, base.hash]);
    setMet(null);
    compare(false);
  };
  const run = () => {
    call.forget();
    // A deleted file has no hash to save over; null creates it again.
    sent.current = file === null ? null : base;
    call.run(
      { mission_id: id, base_hash: sent.current?.hash ?? null, source: text },
      ({ hash, source }) => {
        follow();
        setSaved(key, { hash, source });
      },
      (refusal) => {
        const now = presentIn(refusal);
        if (now === null) return;
        setMet(now);
        compare(true);
      },
    );
  };
  const choose = (next: Buffer) => {
    call.forget();
    follow();
    setBuffer(key, next);
  };
  return { theirs, comparing, compare, choose, save: { run, pending: call.pending, error: call.error } };
}

/** The station's problems of a text that is not saved yet, and the refusal where it could not look for them. */
function useMarks(id: string, text: string) {
  const rested = useRested(text, REST_MS);
  const checked = useRows("missions", "validate_mission", { source: rested ?? "", as_id: id }, rested !== null);
  const problems = rested === null ? undefined : checked.data?.rows.problems;
  const error = checked.error === null ? null : toHostError(checked.error);
  return { marks: problems?.map(markOf) ?? NO_MARKS, error };
}

const NO_MARKS: readonly TextMark[] = [];

function markOf(problem: MissionProblem): TextMark {
  const { line, column, end_line, end_column, severity } = problem;
  return { line, column, endLine: end_line, endColumn: end_column, severity, message: problemLine(problem) };
}

type TheirsProps = {
  file: string;
  buffer: Buffer;
  theirs: FileText;
  comparing: boolean;
  onCompare: (open: boolean) => void;
  onChoose: (next: Buffer) => void;
};

/** Somebody else has changed the file meanwhile: one of the two texts is chosen, and both are compared before. */
function Theirs({ file, buffer, theirs, comparing, onCompare, onChoose }: TheirsProps) {
  const { base, text } = buffer;
  const acts = [
    ["merge", () => mergeTexts(base.source, text, theirs.source)],
    ["keep_mine", () => text],
    ["take_theirs", () => theirs.source],
  ] as const;
  const buttons = (size: "row" | "normal", place: string) =>
    acts.map(([act, chosen]) => (
      <Button
        key={act}
        size={size}
        data-testid={`mission-${place}${act}`}
        onClick={() => onChoose({ base: theirs, text: chosen() })}
      >
        {t(`missions.${act}`)}
      </Button>
    ));
  return (
    <div role="alert" data-testid="mission-theirs">
      <Notice title={t("missions.changed_on_disk")} detail={t("missions.changed_detail")}>
        <Button size="row" data-testid="mission-compare-theirs" onClick={() => onCompare(true)}>
          {t("missions.compare")}
        </Button>
        {buttons("row", "")}
      </Notice>
      {comparing && (
        <CompareDialog
          title={t("missions.compare_title", { file })}
          detail={t("missions.changed_detail")}
          before={{ label: t("missions.file_now"), text: theirs.source }}
          after={{ label: t("missions.my_text"), text }}
          testId="mission-conflict"
          acts={
            <>
              <Button onClick={() => onCompare(false)}>{t("missions.decide_later")}</Button>
              {buttons("normal", "compare-")}
            </>
          }
          onClose={() => onCompare(false)}
        />
      )}
    </div>
  );
}
