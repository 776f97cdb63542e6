import type { SpeedPoint } from "../../../generated/bindings/SpeedPoint";
import styles from "./SpeedChart.module.css";

/** Drawn in units of its own and stretched to its place. */
const WIDTH = 120;
const HEIGHT = 32;

/** Speed over time: the commanded one as a dashed line, the measured one beside it. */
export function SpeedChart({ speeds, name }: { speeds: readonly SpeedPoint[]; name: string }) {
  if (speeds.length < 2) return null;
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      <path className={styles.commanded} d={lineOf(speeds, ({ commanded }) => commanded)} />
      <path className={styles.measured} d={lineOf(speeds, ({ measured }) => measured)} />
    </svg>
  );
}

/** The path of one value, with the least and the greatest of both values at the edges. */
export function lineOf(speeds: readonly SpeedPoint[], valueOf: (point: SpeedPoint) => number): string {
  const values = speeds.flatMap(({ commanded, measured }) => [commanded, measured]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const last_ms = speeds.at(-1)?.t_ms ?? 0;
  const x = (t_ms: number) => ((t_ms / Math.max(last_ms, 1)) * WIDTH).toFixed(1);
  // The smallest number instead of 0: a robot that stood still all the time has no span to divide by.
  const y = (value: number) => (HEIGHT - ((value - low) / Math.max(high - low, Number.EPSILON)) * HEIGHT).toFixed(1);
  return speeds.map((point, place) => `${place === 0 ? "M" : "L"}${x(point.t_ms)} ${y(valueOf(point))}`).join("");
}
