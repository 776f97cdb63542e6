import { lazy, useEffect, useState } from "react";
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
import { t } from "../../locales/i18n";
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
  file: { source: string; hash: string } | null;
  /** Lines that a problem led to. */
  place: TextPlace | null;
};

/**
 * The text of a mission as it is changed: validated by the station while it is typed, saved by button or Ctrl+S. A file
 * that changes meanwhile is never written over unasked (ME-08).
 */
export function MissionEditor({ id, buffer, file, place }: MissionEditorProps) {
  const key = useBufferKey(id);
  const save = useOperation("save_mission");
  const operator = useCommandRefusal();
  // Hashes of texts of this window that newer ones of its own have followed: the file may show one of them for a moment.
  const [followed, setFollowed] = useState<readonly string[]>([]);
  const { base, text } = buffer;
  const dirty = isDirty(buffer);
  // Once the file has the newest of them, an older one is somebody's change back to it.
  if (file?.hash === base.hash && followed.length > 0) setFollowed([]);
  const theirs = file !== null && file.hash !== base.hash && !followed.includes(file.hash) ? file : null;

  // Synchronises with the file: a clean text follows it.
  useEffect(() => {
    if (theirs !== null && !dirty) setBuffer(key, { base: theirs, text: theirs.source });
  }, [key, theirs, dirty]);

  const conflicts = conflictsIn(text);
  const blocked = !dirty || operator !== null || theirs !== null || conflicts > 0;
  const run = () => {
    // Ctrl+S does not go through the disabled button.
    if (blocked) return;
    save.forget();
    // A deleted file has no hash to save over; null creates it again.
    save.run({ mission_id: id, base_hash: file === null ? null : base.hash, source: text }, ({ hash, source }) => {
      setFollowed((before) => [...before, base.hash]);
      setSaved(key, { hash, source });
    });
  };
  const change = (changed: string) => {
    // The editor ends every line alike: what it says of a text that nobody has touched is no change.
    if (changed !== plainEnds(text)) setBuffer(key, { base, text: endedLike(base.source, changed) });
  };
  return (
    <>
      {theirs !== null && dirty && <Theirs of={key} buffer={buffer} theirs={theirs} />}
      <LazyPart className={styles.line} wait={t("common.loading", { what: t("missions.text") })}>
        <TextEditor
          label={t("missions.text_of", { file: `${id}.md` })}
          value={text}
          marks={useMarks(id, text)}
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
    </>
  );
}

/** The station's problems of a text that is not saved yet. */
function useMarks(id: string, text: string): readonly TextMark[] {
  const rested = useRested(text, REST_MS);
  const checked = useRows("missions", "validate_mission", { source: rested ?? "", as_id: id }, rested !== null);
  const problems = rested === null ? undefined : checked.data?.rows.problems;
  return problems?.map(markOf) ?? NO_MARKS;
}

const NO_MARKS: readonly TextMark[] = [];

function markOf(problem: MissionProblem): TextMark {
  const { line, column, end_line, end_column, severity } = problem;
  return { line, column, endLine: end_line, endColumn: end_column, severity, message: problemLine(problem) };
}

/** Somebody else has changed the file meanwhile: one of the two texts is chosen, and both can be read before. */
function Theirs({ of, buffer, theirs }: { of: string; buffer: Buffer; theirs: { source: string; hash: string } }) {
  return (
    <div role="alert" data-testid="mission-theirs">
      <Notice title={t("missions.changed_on_disk")} detail={t("missions.changed_detail")}>
        <Button
          size="row"
          data-testid="mission-merge"
          onClick={() =>
            setBuffer(of, { base: theirs, text: mergeTexts(buffer.base.source, buffer.text, theirs.source) })
          }
        >
          {t("missions.merge")}
        </Button>
        <Button size="row" onClick={() => setBuffer(of, { base: theirs, text: buffer.text })}>
          {t("missions.keep_mine")}
        </Button>
        <Button size="row" onClick={() => setBuffer(of, { base: theirs, text: theirs.source })}>
          {t("missions.take_theirs")}
        </Button>
      </Notice>
      <details className={styles.line}>
        <summary>{t("missions.show_theirs")}</summary>
        {/* Without a tab stop, keyboard users could not scroll it. */}
        <pre className={styles.source} tabIndex={0}>
          {theirs.source}
        </pre>
      </details>
    </div>
  );
}
