import { useEffect, useState, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { Button } from "../../design/components/Button";
import { Dialog } from "../../design/components/Dialog";
import { formatAge, formatMoment } from "../../design/format/time";
import { useNewestRecord, useRecordsSince } from "../../domain/station/useRecords";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import {
  type Absence,
  type Back as Return,
  closed,
  dismissed,
  follow,
  HERE,
  type Known,
  unreadReturn,
} from "./absence";
import { countsOf, type Missed, missed } from "./missed";
import { useLive } from "../../domain/station/useLive";
import table from "../../design/components/table.module.css";
import banner from "../Banner.module.css";

/** After a gap: how long it was and what came in it, which Review lists (U-507). */
export function BackBanner() {
  const record = useNewestRecord();
  const alarms = useRows("alarms", "list_alarms", {});
  const alarm = alarms.data === undefined ? null : Math.max(0, ...alarms.data.rows.map(({ seq }) => seq));
  const { back, close, dismiss } = useAbsence({ record, alarm });
  const back_ms = back?.back_ms ?? null;
  const after = back?.gaps.map(({ from }) => from.record).find((seq) => seq !== null) ?? null;
  const records = useRecordsSince(after, back_ms);
  const { refetch: readAlarms } = alarms;

  // Synchronises what was read with the return: what was told meanwhile may not have arrived.
  useEffect(() => {
    if (back_ms === null) return;
    void readAlarms();
  }, [back_ms, readAlarms]);

  if (back === null || records === undefined || alarms.data === undefined) return null;
  if (alarms.dataUpdatedAt < back.back_ms) return null;
  return (
    <Back
      key={back.back_ms}
      absence={back}
      came={missed(back.gaps, records, alarms.data.rows)}
      onRead={() => close({ record: records.at(-1)?.seq ?? after, alarm })}
      onDone={dismiss}
    />
  );
}

type BackProps = { absence: Return; came: readonly Missed[]; onRead: () => void; onDone: () => void };

/** Keeps to what there was at the return: what comes afterwards is seen as it comes. */
function Back({ absence, came, onRead, onDone }: BackProps) {
  const [all] = useState(came);
  const [reviews, setReviews] = useState(false);
  const says = all.length > 0 || absence.lost;

  // Synchronises with the absence: its gap has been read. With nothing to say it is over, and is not joined with a later
  // one.
  useEffect(() => {
    if (says) onRead();
    else onDone();
  }, [says, onRead, onDone]);

  if (!says) return null;
  const gone = formatAge(absence.back_ms - absence.since_ms);
  const what = all.length === 0 ? t("back.nothing") : countsOf(all);
  return (
    <div className={`${banner.banner} ${banner.acts}`} data-testid="back">
      <span role="status">
        <strong>{t(absence.lost ? "back.contact" : "back.window", { gone })}</strong> {what}
      </span>
      {all.length > 0 && (
        <Button data-testid="back-review" onClick={() => setReviews(true)}>
          {t("back.review")}
        </Button>
      )}
      <Button look="quiet" data-testid="back-done" onClick={onDone}>
        {t("back.done")}
      </Button>
      {reviews && <Review all={all} onClose={() => setReviews(false)} />}
    </div>
  );
}

/** Everything of the gap, oldest first; each leads to what it is about. */
function Review({ all, onClose }: { all: readonly Missed[]; onClose: () => void }) {
  return (
    <Dialog title={t("back.title")} size="wide" testId="back-list" onClose={onClose}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t("events.when")}</th>
            <th scope="col">{t("back.kind")}</th>
            <th scope="col">{t("events.what")}</th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ kind, at_ms, words, path }, index) => (
            <tr key={`${index} ${path}`}>
              <td className={table.muted}>
                <time dateTime={new Date(at_ms).toISOString()}>{formatMoment(at_ms)}</time>
              </td>
              <td>{t(`back.is_${kind}`)}</td>
              <th scope="row" className={table.wrap}>
                <Link href={path} onClick={onClose}>
                  {words}
                </Link>
              </th>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

/** Follows contact and sight; `known` is what this window has read so far. `dismiss` ends what is said about the last one. */
function useAbsence({ record, alarm }: Known) {
  const lost = useLive(({ time }) => time.lost && time.now_ms !== null);
  const hidden = useSyncExternalStore(onVisibility, () => document.visibilityState === "hidden");
  const [absence, setAbsence] = useState<Absence>(HERE);

  // Synchronises with contact to the station and the window's place on the screen.
  useEffect(() => {
    setAbsence((before) => follow(before, { lost, hidden, now_ms: Date.now(), known: { record, alarm } }));
  }, [lost, hidden, record, alarm]);

  const close = (known: Known) => setAbsence((before) => closed(before, known));
  return { back: unreadReturn(absence), close, dismiss: () => setAbsence(dismissed) };
}
