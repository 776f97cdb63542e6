import { type KeyboardEvent, type Ref, useSyncExternalStore } from "react";
import type { Stop } from "../generated/bindings/Stop";
import type { Host } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { rowsOf } from "../domain/stop/open-stops";
import { STOP_SHORTCUT } from "../domain/stop/stop-shortcut";
import { Octagon } from "../design/theme/icons/Octagon";
import { formatClockMs } from "../design/format/time";
import { ReleaseForm } from "./ReleaseForm";
import { stoppedAt } from "./since-stop";
import { SinceStop } from "./SinceStop";
import styles from "./StopPanel.module.css";
import { StopTable } from "./StopTable";
import { blockersOf, type StopView } from "./stop-view";
import { STOP_NOTICE, WORDS } from "./strings";

type StopPanelProps = { ref: Ref<HTMLElement>; host: Host; store: LiveStore; view: StopView; onClose: () => void };

/** The outcome of the stop, robot by robot, and its release (U-607): a sheet at the side keeps the scene in sight. */
export function StopPanel({ ref, host, store, view, onClose }: StopPanelProps) {
  const stops = useSyncExternalStore(store.subscribe, () => store.stops);
  const safety = useSyncExternalStore(store.subscribe, () => store.safety);
  const session = useSyncExternalStore(store.subscribe, () => store.session);
  const actor = session?.actor ?? null;
  const open = stops.filter((stop) => stop.open);
  const newest = open[0];
  const since_ms = stoppedAt(stops);
  const rows = rowsOf(stops);
  const held = rows.filter(({ released }) => !released).map(({ robot }) => robot);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
  };
  return (
    <section
      ref={ref}
      tabIndex={-1}
      className={styles.panel}
      data-testid="stop-panel"
      aria-label={WORDS.panel}
      onKeyDown={onKeyDown}
    >
      <header className={styles.header}>
        <Octagon />
        <h2 className={styles.title} role="alert">
          {titleOf(view, open, actor)}
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
      {open.map((stop) => (
        <p key={stop.stop_id} className={styles.line}>
          {open.length > 1 && <span>{nameOf(stop, actor)} · </span>}
          {stop.reason !== null && <span>“{stop.reason}” · </span>}
          <span data-testid="latch">{stop.latch_saved ? WORDS.latchSaved : WORDS.latchSaving}</span>
        </p>
      ))}
      {newest && (rows.length > 0 ? <StopTable rows={rows} /> : <p className={styles.line}>{WORDS.noRobots}</p>)}
      {since_ms !== null && <SinceStop host={host} store={store} since_ms={since_ms} />}
      {newest && (
        <ReleaseForm
          key={open.map(({ stop_id }) => stop_id).join(" ")}
          host={host}
          stops={open}
          robots={held}
          blockers={blockersOf(held, safety)}
          onLeave={onClose}
          mayRelease={session !== null && session.role !== "viewer"}
        />
      )}
      <div className={styles.notice}>
        <p>{STOP_NOTICE}</p>
        {session && <p data-testid="stop-shortcut">{STOP_SHORTCUT[session.stop_shortcut]}</p>}
      </div>
    </section>
  );
}

function titleOf(view: StopView, open: readonly Stop[], actor: string | null): string {
  const newest = open[0];
  if (!newest) return view.state === "failed" ? WORDS.titleFailed : WORDS.titleSending;
  return open.length > 1 ? WORDS.titleOfMany(open.length) : WORDS.title(nameOf(newest, actor));
}

/** The number of a stop, who pressed it and when. */
function nameOf({ stop_id, by, at }: Stop, actor: string | null): string {
  return WORDS.stop(stop_id, by === actor ? WORDS.you : by, formatClockMs(at));
}
