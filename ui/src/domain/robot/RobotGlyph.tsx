import type { RobotShape, RobotLook } from "./robot-look";
import styles from "./RobotGlyph.module.css";

/** A robot from above: its ring and heading, the links of an arm, the posts of a gate. Fill is motion, centre state. */
export function RobotGlyph({ shape, look }: { shape: RobotShape; look: RobotLook }) {
  return (
    <svg
      viewBox="0 0 28 28"
      aria-hidden="true"
      focusable="false"
      width="28"
      height="28"
      className={styles.glyph}
      data-look={look}
    >
      <Body shape={shape} look={look} />
    </svg>
  );
}

function Body({ shape, look }: { shape: RobotShape; look: RobotLook }) {
  switch (shape) {
    case "rover":
      return (
        <>
          <circle className={styles.ring} cx="13" cy="15" r="9.5" />
          <path className={styles.heading} d="M16 12 24 4" />
          <path className={styles.inside} d="M14.5 13.5 19 9" />
          <Centre look={look} at="translate(0 0)" />
        </>
      );
    case "arm":
      return (
        <>
          <rect className={styles.base} x="3" y="20" width="11" height="6" rx="1.5" />
          <path className={styles.link} d="M8.5 20 10.5 9.5 21 12.5" />
          <circle className={styles.tool} cx="22" cy="12.8" r="3.2" />
          <Centre look={look} at="translate(9 5)" />
        </>
      );
    case "gate":
      return (
        <>
          <path className={styles.link} d="M5 4v20M23 4v20M5 14h18" />
          <Centre look={look} at="translate(1 4)" />
        </>
      );
  }
}

/** Two bars for held, the octagon for stopped; nothing else has a centre. */
function Centre({ look, at }: { look: RobotLook; at: string }) {
  switch (look) {
    case "held":
      return <path className={styles.bars} d="M10.5 11.5v7M15.5 11.5v7" transform={at} />;
    case "stopped":
      return (
        <path
          className={styles.octagon}
          d="M9 1.5h10L26.5 9v10L19 26.5H9L1.5 19V9z"
          transform={`${at} translate(5.5 7.5) scale(.54)`}
        />
      );
    case "disarmed":
    case "armed":
    case "moving":
    case "stale":
      return null;
  }
}
