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
import styles from "./Memory.module.css";

type ForgetPanelProps = { ids: string[]; onClose: () => void; onForgotten: () => void };

/** Forgets records for good: what would go, why, a press of 1 s, and then what went from where. */
export function ForgetPanel({ ids, onClose, onForgotten }: ForgetPanelProps) {
  const [reason, setReason] = useState("");
  const [wouldGo, setWouldGo] = useState<ToForget | null>(null);
  const [gone, setGone] = useState<Forgotten | null>(null);
  const forget = useOperation("memory_forget");
  const missing = reason.trim() === "";
  const ask = () => {
    if (missing) return;
    forget.run({ ids, reason: reason.trim(), dry_run: true }, (answer) => "items" in answer && setWouldGo(answer));
  };
  const act = () =>
    forget.run({ ids, reason: reason.trim(), dry_run: false }, (answer) => "tombstone" in answer && setGone(answer));
  const close = () => {
    onClose();
    if (gone !== null) onForgotten();
  };
  return (
    <FormPanel title={t("memory.forget")} onSubmit={ask} onClose={close}>
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
              <p>{wouldGo.message}</p>
              <ul data-testid="would-go">
                {wouldGo.items.map(({ id, content }) => (
                  <li key={id} className={styles.content}>
                    {content}
                  </li>
                ))}
              </ul>
              <HoldButton
                label={t("memory.forget_for_good")}
                version={ids.join(" ")}
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
        <Result gone={gone} onClose={close} />
      )}
    </FormPanel>
  );
}

function Result({ gone, onClose }: { gone: Forgotten; onClose: () => void }) {
  return (
    <div role="status" data-testid="forgotten">
      <p>
        <strong>{gone.message}</strong> {t("memory.tombstone", { tombstone: gone.tombstone })}
      </p>
      <ul>
        {Object.entries(gone.places).map(([place, count]) => (
          <li key={place}>
            {place.replaceAll("_", " ")}: {count}
          </li>
        ))}
      </ul>
      {gone.stays.length > 0 && (
        <ul data-testid="forget-stays">
          {gone.stays.map(({ what, how }) => (
            <li key={`${what}: ${how}`}>
              <strong>{what}</strong>: {how}
            </li>
          ))}
        </ul>
      )}
      {gone.recordings.length > 0 && <p>{t("memory.recordings", { recordings: gone.recordings.join(", ") })}</p>}
      <p className={styles.hint}>{gone.notice}</p>
      <Button onClick={onClose}>{t("memory.done")}</Button>
    </div>
  );
}
