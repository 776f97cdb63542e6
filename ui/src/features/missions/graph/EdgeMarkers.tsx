import styles from "./MissionCanvas.module.css";

const LOOKS = ["plain", "running", "draft", "broken"] as const;

/** Arrowheads of the edges, one for each look. */
export function EdgeMarkers() {
  return (
    <svg className={styles.markers} aria-hidden="true">
      <defs>
        {LOOKS.map((look) => (
          <marker
            key={look}
            id={`mission-${look}`}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M0 0L10 5L0 10z" className={styles[`${look}_arrow`]} />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
