import type { ReactNode } from "react";
import { formatWholeAge } from "../../design/format/time";
import { useLive } from "../../domain/station/useLive";
import { useOpenCall } from "./open-calls";
import styles from "./ToolRow.module.css";

type ToolLineProps = {
  /** The id of the call. */
  call: string;
  verb: string;
  target: string;
  outcome: string;
  /** Set while it runs: when it began, by this window's clock. */
  began_ms?: number | null;
  children?: ReactNode;
};

/** A tool call in a line; it opens to what is exactly known of it. */
export function ToolLine({ call, verb, target, outcome, began_ms = null, children }: ToolLineProps) {
  const [open, setOpen] = useOpenCall(call);
  return (
    <details
      className={styles.tool}
      data-testid="tool"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>
        <span className={styles.verb}>{verb}</span>
        {target !== "" && <code className={styles.target}>{target}</code>}
        <span className={styles.outcome}>
          {outcome}
          {began_ms !== null && <RunningTime began_ms={began_ms} />}
        </span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}

/** A tool that takes longer than this is worth a number (V-02). */
const SHOWN_FROM_MS = 2_000;

/** Running time of a call, in whole seconds, from 2 s on. `began_ms` is this window's clock. */
function RunningTime({ began_ms }: { began_ms: number }) {
  const seconds = useLive(({ time }) => Math.floor((time.local_ms - began_ms) / 1_000));
  if (seconds * 1_000 < SHOWN_FROM_MS) return null;
  return <span data-testid="running-time"> · {formatWholeAge(seconds * 1_000)}</span>;
}
