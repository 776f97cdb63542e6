import styles from "./Meter.module.css";

type MeterProps = {
  /** Share of the limit that is taken, from 0; 1 is at the limit, more is beyond it. */
  used: number | null;
  label: string;
};

/** The share of a limit that is taken. Full is at the limit; beyond it the bar is hatched. */
export function Meter({ used, label }: MeterProps) {
  const share = Math.min(1, Math.max(0, used ?? 0));
  return (
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className={styles.meter}
      data-over={used !== null && used > 1}
      data-known={used !== null}
    >
      <span className={styles.bar} style={{ width: `${share * 100}%` }} />
    </span>
  );
}
