import { t } from "../../locales/i18n";
import styles from "./PreviewPlan.module.css";

/** The drawing's own square; the browser scales it. */
const SIDE = 100;
/** Room around the two points. */
const EDGE = 16;

type Point = readonly [number, number, number];

/** Now and goal seen from above and from the front; the numbers beside it say the same. */
export function PreviewPlan({ from, to }: { from: Point; to: Point }) {
  return (
    <div className={styles.plans} aria-hidden="true">
      <Plan label={t("scene.top")} from={[from[0], from[1]]} to={[to[0], to[1]]} />
      <Plan label={t("scene.front")} from={[from[0], from[2]]} to={[to[0], to[2]]} />
    </div>
  );
}

type Flat = readonly [number, number];

function Plan({ label, from, to }: { label: string; from: Flat; to: Flat }) {
  const span = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]), 1e-6);
  const middle: Flat = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const scale = (SIDE - 2 * EDGE) / span;
  const place = (point: Flat): Flat => [
    SIDE / 2 + (point[0] - middle[0]) * scale,
    SIDE / 2 - (point[1] - middle[1]) * scale,
  ];
  const [x1, y1] = place(from);
  const [x2, y2] = place(to);
  return (
    <figure>
      <svg viewBox={`0 0 ${SIDE} ${SIDE}`} className={styles.plan}>
        <line x1={x1} y1={y1} x2={x2} y2={y2} className={styles.way} />
        <circle cx={x1} cy={y1} r={4} className={styles.now} />
        <path d={`M${x2 - 6} ${y2}h12M${x2} ${y2 - 6}v12`} className={styles.goal} />
        <circle cx={x2} cy={y2} r={4} className={styles.goal} />
      </svg>
      <figcaption className={styles.label}>{label}</figcaption>
    </figure>
  );
}
