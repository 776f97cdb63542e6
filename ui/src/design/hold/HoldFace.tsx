import type { ReactNode } from "react";
import styles from "./Hold.module.css";

type HoldFaceProps = { phase: "idle" | "holding" | "armed" | "sending"; label: ReactNode; hint: ReactNode };

/** The face of a hold button: a ring and a bar that fill while it is held, the act, and the way to do it. */
export function HoldFace({ phase, label, hint }: HoldFaceProps) {
  return (
    <>
      <svg className={styles.ring} data-phase={phase} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <circle cx="12" cy="12" r="9.5" />
        <circle cx="12" cy="12" r="9.5" pathLength="1" transform="rotate(-90 12 12)" />
      </svg>
      <span className={styles.bar} data-phase={phase} aria-hidden="true" />
      <span className={styles.label}>{label}</span>
      <span className={styles.hint}>{hint}</span>
    </>
  );
}
