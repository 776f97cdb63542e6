import { type KeyboardEvent, type Ref, useSyncExternalStore } from "react";
import type { Stop } from "../generated/bindings/Stop";
import type { Host } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { rowsOf } from "../domain/stop/open-stops";
import { stopShortcutText } from "../domain/stop/stop-shortcut";
import { Octagon } from "../design/theme/icons/Octagon";
import { formatClockMs } from "../design/format/time";
import { Blockers } from "./Blockers";
import { DeliveryLine } from "./DeliveryLine";
import { ReleaseForm } from "./ReleaseForm";
import { stoppedAt } from "./since-stop";
import { SinceStop } from "./SinceStop";
import styles from "./StopPanel.module.css";
import { StopTable } from "./StopTable";
import { blockersOf, releaseRefusal, type StopView, unattendedOf } from "./stop-view";
import { stopNotice } from "../domain/stop/stop-notice";
import { stopReasonText } from "../domain/stop/stop-reasons";
import { words } from "./strings";

type StopPanelProps = { ref: Ref<HTMLElement>; host: Host; store: LiveStore; view: StopView; onClose: () => void };

/** The outcome of the stop, robot by robot, and its release (U-607): a sheet at the side keeps the scene in sight. */
export function StopPanel({ ref, host, store, view, onClose }: StopPanelProps) {
  const stops = useSyncExternalStore(store.subscribe, () => store.stops);
  const safety = useSyncExternalStore(store.subscribe, () => store.safety);
  const session = useSyncExternalStore(store.subscribe, () => store.session);
  const refusal = useSyncExternalStore(store.subscribe, () => releaseRefusal(store));
  const open = stops.filter((stop) => stop.open);
  const since_ms = stoppedAt(stops);
  const rows = rowsOf(stops);
  const held = rows.filter(({ released }) => !released).map(({ robot }) => robot);
  const blockers = blockersOf(held, safety);
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
      data-region="stop-sheet"
      aria-label={words().panel}
      onKeyDown={onKeyDown}
    >
      <Head view={view} open={open} actor={session?.actor ?? null} onClose={onClose} />
      <div className={styles.facts} role="group" aria-label={words().details} tabIndex={0}>
        {view.state === "failed" && (
          <p className={styles.strong} role="alert">
            {words().failed(view.sentence)}
          </p>
        )}
        <DeliveryLine host={host} view={view} />
        {open.length > 0 &&
          (rows.length > 0 ? (
            <StopTable rows={rows} unattended={unattendedOf(held, safety)} />
          ) : (
            <p className={styles.line}>{words().noRobots}</p>
          ))}
        {blockers.length > 0 && <Blockers host={host} blockers={blockers} refusal={refusal} onLeave={onClose} />}
        {since_ms !== null && <SinceStop host={host} store={store} since_ms={since_ms} />}
        <div className={styles.notice}>
          <p>{stopNotice()}</p>
          {session && <p data-testid="stop-shortcut">{stopShortcutText(session.stop_shortcut)}</p>}
        </div>
      </div>
      {open.length > 0 && (
        // Kept when another stop opens: robots that somebody has left out must not be chosen again behind their back.
        <ReleaseForm
          host={host}
          stops={open}
          robots={held}
          blocked={blockers.map(({ robot }) => robot)}
          refusal={refusal}
        />
      )}
    </section>
  );
}

type HeadProps = { view: StopView; open: readonly Stop[]; actor: string | null; onClose: () => void };

/** The one red band: what stands, since when and by whom. */
function Head({ view, open, actor, onClose }: HeadProps) {
  return (
    <header className={styles.header}>
      <Octagon />
      <h2 className={styles.title} role="alert">
        {titleOf(view)}
      </h2>
      <button type="button" className={styles.close} onClick={onClose}>
        {words().close}
      </button>
      <div className={styles.what}>
        {open.map((stop) => (
          <p key={stop.stop_id}>
            {nameOf(stop, actor)}.{" "}
            {stop.reason !== null && <bdi>{words().quoted(stopReasonText(stop.reason, stop.reason_kind))} </bdi>}
            <span data-testid="latch">{stop.latch_saved ? words().latchSaved : words().latchSaving}</span>
          </p>
        ))}
      </div>
    </header>
  );
}

function titleOf(view: StopView): string {
  switch (view.state) {
    case "rest":
    case "sending":
      return words().titleSending;
    case "failed":
      return words().titleFailed;
    case "undelivered":
      return words().titleNotDelivered;
    case "partly":
      return view.not_confirmed > 0
        ? words().titleNotConfirmed(view.not_confirmed, view.total)
        : words().titlePartly(view.stopped, view.total);
    case "stopping":
      return words().titleStopping(view.acked, view.total);
    case "stopped":
      return words().titleStopped(view.total);
    case "not_confirmed":
      return words().titleNotConfirmed(view.count, view.total);
  }
}

/** The number of a stop, who pressed it and when. */
function nameOf({ stop_id, by, at }: Stop, actor: string | null): string {
  return words().stop(stop_id, by === actor ? words().you : by, formatClockMs(at));
}
