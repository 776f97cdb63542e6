import styles from "./Sparkline.module.css";
import { bandsOf, extentOf, isNumeric, type Point, stepPath } from "./series";

/** Drawn in units of its own and stretched to the cell. */
const WIDTH = 100;
const HEIGHT = 20;

type SparklineProps = { points: readonly Point[]; from_ms: number; to_ms: number; name: string };

/** Small chart of a value over time: a stepped line for numbers, a mark for each change of anything else. */
export function Sparkline({ points, from_ms, to_ms, name }: SparklineProps) {
  // The value that held when the span began is drawn from its edge on.
  const shown = points.filter(
    ({ at_ms }, place) => at_ms >= from_ms || (points[place + 1]?.at_ms ?? Infinity) > from_ms,
  );
  if (shown.length === 0) return null;
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      {isNumeric(shown) ? (
        <path className={styles.line} d={stepPath(shown, extentOf(shown, from_ms, to_ms), WIDTH, HEIGHT)} />
      ) : (
        <>
          <path className={styles.base} d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
          {bandsOf(shown, to_ms)
            // A value that held before the span began did not change at its edge.
            .filter(({ from_ms: changed_ms }) => changed_ms >= from_ms)
            .map(({ from_ms: changed_ms }, place) => (
              <path
                key={`${changed_ms} ${place}`}
                className={styles.line}
                d={`M${xOf(changed_ms, from_ms, to_ms)} ${HEIGHT / 4}v${HEIGHT / 2}`}
              />
            ))}
        </>
      )}
    </svg>
  );
}

function xOf(at_ms: number, from_ms: number, to_ms: number): number {
  return Math.max(0, ((at_ms - from_ms) / Math.max(to_ms - from_ms, 1)) * WIDTH);
}
