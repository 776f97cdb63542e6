import { useEffect, useState } from "react";
import { type Host, type HostError, toHostError } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { operation } from "../host/operations";
import { formatClock, formatClockMs } from "../design/format/time";
import { type SinceStop as Since, sinceStop } from "./since-stop";
import styles from "./SinceStop.module.css";
import { words } from "./strings";

/** More than is done while robots stand still and somebody looks for the reason. */
const RECORDS_MAX = 500;
/** A stop brings a burst of facts: they are one reason to read again. */
const READ_EVERY_MS = 1_000;
/** Looks after which the audit is read in any case: messages and missions are in it, and change nothing about safety. */
const LOOKS_MAX = 10;

type SinceStopProps = { host: Host; store: LiveStore; /** Unix milliseconds. */ since_ms: number };

/** Actions since the robots were stopped: read before anything is released (U-610). */
export function SinceStop({ host, store, since_ms }: SinceStopProps) {
  const [since, setSince] = useState<(Since & { cut: boolean; read_at: number }) | null>(null);
  const [error, setError] = useState<HostError | null>(null);

  // Synchronises with the station's audit, which no frame carries: read again when facts have told of a change.
  useEffect(() => {
    let current = true;
    let read_revision: number | null = null;
    let looks = 0;
    let asked = 0;
    let told = 0;
    const read = () => {
      looks += 1;
      if (store.safetyRevision === read_revision && looks < LOOKS_MAX) return;
      looks = 0;
      read_revision = store.safetyRevision;
      asked += 1;
      const number = asked;
      operation(host, "list_audit", { limit: RECORDS_MAX }).then(
        (records) => {
          // Answers may overtake one another: the later question knows more.
          if (!current || number < told) return;
          told = number;
          setError(null);
          setSince({
            ...sinceStop(records, since_ms),
            cut: records.length >= RECORDS_MAX && records.every(({ at_wall }) => at_wall >= since_ms),
            read_at: Date.now(),
          });
        },
        (thrown: unknown) => {
          if (!current || number < told) return;
          // No fact may come any more that would be a reason to read again.
          read_revision = null;
          setError(toHostError(thrown));
        },
      );
    };
    read();
    const timer = setInterval(read, READ_EVERY_MS);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [host, store, since_ms]);

  return (
    <section className={styles.since} aria-label={words().since} data-testid="since-stop">
      <h3>
        {words().since} {since && <small className={styles.muted}>{words().asOf(formatClock(since.read_at))}</small>}
      </h3>
      {since?.lines.length === 0 && <p className={styles.muted}>{words().sinceNothing}</p>}
      {since && since.lines.length > 0 && (
        <ul className={styles.lines}>
          {since.lines.map(({ actor, act, count, last_at }) => (
            <li key={`${actor ?? ""} ${act}`}>
              <span className={styles.muted}>{formatClockMs(last_at)}</span> <bdi>{act}</bdi>{" "}
              <bdi className={styles.muted}>{words().byWhom(actor, count)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {since && since.left_out > 0 && <p className={styles.muted}>{words().sinceMore(since.left_out)}</p>}
      {since?.cut === true && <p className={styles.muted}>{words().sinceCut}</p>}
      {error && <p role="alert">{words().sinceUnknown(error.message)}</p>}
    </section>
  );
}
