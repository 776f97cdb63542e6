import type { MarkShape } from "./belief-marks";
import styles from "./MarkShapeIcon.module.css";

/** Drawn around the origin, 12 units wide. Each is told from the others by its outline alone. */
const SHAPES: Record<MarkShape, { d: string; filled: boolean }> = {
  created: { d: "M-1.5 -6H1.5V-1.5H6V1.5H1.5V6H-1.5V1.5H-6V-1.5H-1.5Z", filled: true },
  confirmed: { d: "M0 -5L5 4H-5Z", filled: true },
  contradicted: { d: "M0 5.5L6 -4.5H-6Z", filled: true },
  replaced: { d: "M-5 -1A5 5 0 0 1 4 -3M4 -6V-2.5H0.5M5 1A5 5 0 0 1 -4 3M-4 6V2.5H-0.5", filled: false },
  operator: { d: "M-5 5L-4 1.5L3 -5.5L5.5 -3L-1.5 4Z", filled: true },
  pin: { d: "M-3.5 -6H3.5L2.5 -1L4.5 1.5H0.75V6H-0.75V1.5H-4.5L-2.5 -1Z", filled: true },
  challenged: { d: "M0 -6.5L6.5 0L0 6.5L-6.5 0ZM0 -3V1M0 2.5V3.5", filled: false },
};

/** The shape of a mark, inside a drawing. */
export function MarkShapePath({ shape }: { shape: MarkShape }) {
  const { d, filled } = SHAPES[shape];
  return <path d={d} className={filled ? styles.filled : styles.lined} />;
}

/** The same beside words. */
export function MarkShapeIcon({ shape }: { shape: MarkShape }) {
  return (
    <svg viewBox="-8 -8 16 16" className={styles.icon} aria-hidden="true">
      <MarkShapePath shape={shape} />
    </svg>
  );
}
