import type { MissionState } from "../../../generated/bindings/MissionState";
import styles from "./MissionMark.module.css";

/** The shape of a state; the word stands beside it. `running` works on a goal. */
export function MissionMark({ state, running }: { state: MissionState; running: boolean }) {
  return (
    <svg className={styles.mark} viewBox="0 0 20 20" aria-hidden="true">
      {running && state === "active" ? <Running /> : <Shape state={state} />}
    </svg>
  );
}

function Running() {
  return (
    <>
      <circle cx="10" cy="10" r="9" className={styles.filled} />
      <path d="M8 6l6 4-6 4z" className={styles.inside} />
    </>
  );
}

/** A stroke in a ring. */
function Ringed({ ring, path }: { ring: string | undefined; path: string }) {
  return (
    <>
      <circle cx="10" cy="10" r="8.5" className={ring} />
      <path d={path} className={styles.line} />
    </>
  );
}

function Shape({ state }: { state: MissionState }) {
  switch (state) {
    case "draft":
      return <path d="M4.5 15.5l1-4 7.5-7.5 3 3-7.5 7.5z" className={styles.line} />;
    case "active":
      return (
        <>
          <circle cx="10" cy="10" r="8.5" className={styles.line} />
          <circle cx="10" cy="10" r="3.4" className={styles.filled} />
        </>
      );
    case "waiting":
    case "checking":
      return <Ringed ring={styles.dashed} path="M10 6v4.4l2.6 1.8" />;
    case "blocked":
      return <Ringed ring={styles.line} path="M10 5.5v5.5M10 13.2v1.4" />;
    case "paused":
      return <Ringed ring={styles.line} path="M8 6.5v7M12 6.5v7" />;
    case "completed":
      return <Ringed ring={styles.quiet} path="M6 10l3 3 5-6" />;
    case "failed":
      return (
        <>
          <circle cx="10" cy="10" r="9" className={styles.filled} />
          <path d="M6.5 6.5l7 7m0-7l-7 7" className={styles.cut} />
        </>
      );
    case "cancelled":
      return <Ringed ring={styles.line} path="M4.5 15.5l11-11" />;
  }
}
