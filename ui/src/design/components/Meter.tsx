import { formatNumber, NO_NUMBER } from "../format/numbers";
import styles from "./Meter.module.css";

type MeterProps = {
  /** Share of the limit that is taken, from 0; 1 is at the limit, more is beyond it. */
  used: number | null;
  label: string;
};

/** The share of a limit that is taken. Full is at the limit; beyond it the bar is hatched. */
export function Meter({ used, label }: MeterProps) {
  const isKnown = used !== null && Number.isFinite(used);
  const share = isKnown ? Math.min(1, Math.max(0, used)) : 0;
  return (
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      // The number alone ends at the limit, and is 0 for a share that nobody knows.
      aria-valuetext={isKnown ? `${formatNumber(used * 100, 0)} %` : NO_NUMBER}
      className={styles.meter}
      data-over={isKnown && used > 1}
      data-known={isKnown}
    >
      <span className={styles.bar} style={{ width: `${share * 100}%` }} />
    </span>
  );
}
