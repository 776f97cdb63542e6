import { useSyncExternalStore } from "react";
import type { Stop } from "../bindings/Stop";
import type { Host } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { formatClockMs } from "../shared/format/time";
import { ReleaseForm } from "./ReleaseForm";
import styles from "./StopPanel.module.css";
import { StopTable } from "./StopTable";
import { rowsOf, type StopView } from "./stop-view";
import { STOP_NOTICE, WORDS } from "./strings";

type StopPanelProps = { host: Host; store: LiveStore; view: StopView; onClose: () => void };

/** What became of the stop, robot by robot, and how to release it (U-607). */
export function StopPanel({ host, store, view, onClose }: StopPanelProps) {
  const stops = useSyncExternalStore(store.subscribe, () => store.stops);
  const session = useSyncExternalStore(store.subscribe, () => store.session);
  const open = stops.filter((stop) => stop.open);
  const newest = open[0];
  const rows = rowsOf(stops);
  return (
    <section className={styles.panel} data-testid="stop-panel" aria-label={WORDS.panel}>
      <header className={styles.header}>
        <h2 className={styles.title} role="alert">
          {titleOf(view, open, session?.actor ?? null)}
        </h2>
        <button type="button" className={styles.close} onClick={onClose}>
          {WORDS.close}
        </button>
      </header>
      {view.state === "failed" && (
        <p className={styles.strong} role="alert">
          {WORDS.failed(view.sentence)}
        </p>
      )}
      {newest && (
        <p className={styles.line}>
          {newest.reason !== null && <span>“{newest.reason}” · </span>}
          <span data-testid="latch">{newest.latch_saved ? WORDS.latchSaved : WORDS.latchSaving}</span>
        </p>
      )}
      {newest && (rows.length > 0 ? <StopTable rows={rows} /> : <p className={styles.line}>{WORDS.noRobots}</p>)}
      <p className={styles.notice}>{STOP_NOTICE}</p>
      {newest && (
        <ReleaseForm
          key={open.map(({ stop_id }) => stop_id).join(" ")}
          host={host}
          stopIds={open.map(({ stop_id }) => stop_id)}
          robots={rows.filter(({ released }) => !released).map(({ robot }) => robot)}
          mayRelease={session !== null && session.role !== "viewer"}
        />
      )}
    </section>
  );
}

function titleOf(view: StopView, open: readonly Stop[], actor: string | null): string {
  const newest = open[0];
  if (!newest) return view.state === "failed" ? WORDS.titleFailed : WORDS.titleSending;
  const numbers = open.map(({ stop_id }) => `#${stop_id}`).join(", ");
  return WORDS.title(numbers, newest.by === actor ? WORDS.you : newest.by, formatClockMs(newest.at));
}
