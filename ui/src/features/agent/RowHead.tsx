import { formatMoment, formatSaidAt } from "../../design/format/time";
import styles from "./TranscriptRow.module.css";

/** Speaker of a row, and its time, Unix milliseconds. */
export function RowHead({ who, at_ms }: { who: string; at_ms: number | null }) {
  return (
    <p className={styles.head}>
      <span>{who}</span>
      {at_ms !== null && <time title={formatMoment(at_ms)}>{formatSaidAt(at_ms)}</time>}
    </p>
  );
}
