import { Check, Play, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { formatClock } from "../../design/format/time";
import { Octagon } from "../../design/theme/icons/Octagon";
import type { MarkKind } from "../../domain/station/moments";
import { RECORDS_MAX, useRecords } from "../../domain/station/useRecords";
import { useTimeOfDay } from "../../domain/station/useTicked";
import { t } from "../../locales/i18n";
import styles from "./ActivityRibbon.module.css";
import { type Mark, activity } from "./activity";

/** The line moves on this often, ms. */
const TICK_MS = 5_000;
/** Part of the line that the words beside a mark take; where the next mark is nearer, its words are in its title alone. */
const WORDS_WIDE = 0.2;

const SYMBOLS: Readonly<Record<MarkKind, ReactNode>> = {
  stop: <Octagon />,
  denial: <X aria-hidden="true" />,
  approval: <Check aria-hidden="true" />,
  mission: <Play aria-hidden="true" />,
};

/** The last half hour under the scene; each mark leads to what it is about (U-803). */
export function ActivityRibbon() {
  const records = useRecords();
  const ticked_ms = useTimeOfDay(TICK_MS);
  // The newest record may be of this very second.
  const now_ms = Math.max(ticked_ms, records.at(-1)?.at_wall ?? 0);
  const { marks, from_ms } = activity(records, now_ms, records.length < RECORDS_MAX);
  return (
    <section className={styles.ribbon} aria-labelledby="activity-title" data-testid="activity">
      <h3 id="activity-title" className={styles.title}>
        {t("activity.title")}
      </h3>
      {/* A station that runs has records: without any they have not been read yet. */}
      {marks.length === 0 && records.length > 0 && <p className={styles.quiet}>{t("activity.quiet")}</p>}
      <ol className={styles.line}>
        {marks.map((mark, index) => (
          <li
            key={`${mark.at_ms} ${mark.words} ${mark.path}`}
            className={styles.mark}
            style={{ left: `${mark.place * 100}%` }}
          >
            <Moment mark={mark} has_room={(marks[index + 1]?.place ?? 1) - mark.place >= WORDS_WIDE} />
          </li>
        ))}
      </ol>
      <p className={styles.ends}>
        <span>{formatClock(from_ms)}</span>
        <span>{t("activity.now")}</span>
      </p>
    </section>
  );
}

function Moment({ mark, has_room }: { mark: Mark; has_room: boolean }) {
  const words = mark.count === 1 ? mark.words : t("activity.times", { words: mark.words, count: mark.count });
  const name = t("activity.at", { time: formatClock(mark.at_ms), words });
  return (
    <Link href={mark.path} className={styles.moment} aria-label={name} title={name} data-kind={mark.kind}>
      <span className={styles.symbol}>{SYMBOLS[mark.kind]}</span>
      {has_room && (
        <span className={styles.words} aria-hidden="true">
          {words}
        </span>
      )}
    </Link>
  );
}
