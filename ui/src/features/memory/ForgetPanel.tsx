import { useState } from "react";
import type { Forgotten } from "../../generated/bindings/Forgotten";
import type { ToForget } from "../../generated/bindings/ToForget";
import { Button } from "../../design/components/Button";
import { HoldButton } from "../../design/components/HoldButton";
import { Refusal } from "../../design/components/Refusal";
import { FormPanel } from "../../design/fields/FormPanel";
import forms from "../../design/fields/forms.module.css";
import { TextField } from "../../design/fields/TextField";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { clearedText, heldText, remedyText } from "./forgotten-text";
import styles from "./Memory.module.css";

/** Records by their ids, or words wherever they stand. */
export type ToBeForgotten = { ids: string[] } | { query: string };

type ForgetPanelProps = { title: string; what: ToBeForgotten; onClose: () => void; onForgotten: () => void };

/** Forgets for good: what would go, why, a press of 1 s, and then what went from where. */
export function ForgetPanel({ title, what, onClose, onForgotten }: ForgetPanelProps) {
  const [reason, setReason] = useState("");
  const [asked, setAsked] = useState<{ version: string; preview: ToForget } | null>(null);
  const [gone, setGone] = useState<Forgotten | null>(null);
  // Also where the panel is closed before the answer: what is gone must not stand there as if it could be found.
  const forget = useOperation("memory_forget", ({ dry_run }) => {
    if (dry_run === false) onForgotten();
  });
  const missing = reason.trim() === "" || ("ids" in what && what.ids.length === 0);
  const version = JSON.stringify(what);
  // Other records may have been marked since: nothing goes that was not shown before.
  const wouldGo = asked?.version === version ? asked.preview : null;
  const ask = () => {
    if (missing) return;
    forget.run({ ...what, reason: reason.trim(), dry_run: true }, (answer) => {
      if ("items" in answer) setAsked({ version, preview: answer });
    });
  };
  const act = () =>
    forget.run(
      { ...what, reason: reason.trim(), dry_run: false },
      (answer) => "tombstone" in answer && setGone(answer),
    );
  return (
    <FormPanel title={title} onSubmit={ask} onClose={onClose}>
      {gone === null ? (
        <>
          <TextField
            label={t("forget.reason")}
            value={reason}
            problem={null}
            testId="memory-reason"
            onChange={(next) => {
              setReason(next);
              forget.forget();
            }}
          />
          <div className={forms.act}>
            <Button type="submit" data-testid="memory-dry-run" disabled={missing || forget.pending}>
              {forget.pending ? t("hold.sending") : t("memory.dry_run")}
            </Button>
          </div>
          {wouldGo !== null && (
            <>
              <Preview preview={wouldGo} />
              <HoldButton
                label={t("memory.forget_for_good")}
                version={version}
                needsHold
                disabled={missing}
                pending={forget.pending}
                testId="memory-forget-submit"
                onAct={act}
              />
            </>
          )}
          <Refusal error={forget.error} />
        </>
      ) : (
        <Result gone={gone} onClose={onClose} />
      )}
    </FormPanel>
  );
}

/** The records that would go, and every place that holds the words. */
function Preview({ preview }: { preview: ToForget }) {
  return (
    <>
      <p>{t("memory.would_go", { count: preview.items.length })}</p>
      <ul data-testid="would-go">
        {preview.items.map(({ id, content }) => (
          <li key={id} className={styles.content}>
            {content}
          </li>
        ))}
      </ul>
      {preview.places.length > 0 && (
        <>
          <p>{t("memory.held_in")}</p>
          <ul data-testid="held-in">
            {preview.places.map((place) => (
              <li key={place.held_in}>{heldText(place)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Result({ gone, onClose }: { gone: Forgotten; onClose: () => void }) {
  return (
    <div role="status" data-testid="forgotten">
      <p>
        <strong>{t("memory.gone", { count: gone.forgotten })}</strong>{" "}
        {t("memory.tombstone", { tombstone: gone.tombstone })}
      </p>
      <ul>
        {Object.entries(gone.places).map(([place, count]) => (
          <li key={place}>{clearedText(place, count)}</li>
        ))}
      </ul>
      {gone.stays.length > 0 && (
        <>
          <p>{t("memory.stays")}</p>
          <ul data-testid="forget-stays">
            {gone.stays.map((row) => (
              <li key={`${row.held_in} ${row.how}`}>
                <strong>{heldText(row)}</strong> – {remedyText(row)}
              </li>
            ))}
          </ul>
        </>
      )}
      {gone.recordings.length > 0 && <p>{t("memory.recordings", { recordings: gone.recordings.join(", ") })}</p>}
      <p className={styles.hint}>{t(gone.searched ? "memory.notice_searched" : "memory.notice_records")}</p>
      <Button onClick={onClose}>{t("memory.done")}</Button>
    </div>
  );
}
