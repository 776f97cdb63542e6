import { useState } from "react";
import type { Stop } from "../generated/bindings/Stop";
import { type Host, type HostError, toHostError } from "../host/host";
import { operation } from "../host/operations";
import { HoldFace } from "../design/hold/HoldFace";
import hold_styles from "../design/hold/Hold.module.css";
import { useHold } from "../design/shortcuts/useHold";
import { Blockers } from "./Blockers";
import styles from "./ReleaseForm.module.css";
import { type Blocker, stopIdsOf } from "./stop-view";
import { WORDS } from "./strings";

type ReleaseFormProps = {
  host: Host;
  /** The open stops. */
  stops: readonly Stop[];
  robots: readonly string[];
  /** Robots among them that the station would not release now. */
  blockers: readonly Blocker[];
  mayRelease: boolean;
  /** Goes to a page: the sheet does not lie over it. */
  onLeave: () => void;
};

/** Lets commands through again for chosen robots: a reason, and a press held for 1 s (U-610). */
export function ReleaseForm({ host, stops, robots, blockers, mayRelease, onLeave }: ReleaseFormProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState("");
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<HostError | null>(null);
  const blocked = new Set(blockers.map(({ robot }) => robot));
  const chosen = robots.filter((robot) => !left.has(robot) && !blocked.has(robot));
  const stopIds = stopIdsOf(stops, chosen);
  const ready = mayRelease && reason.trim() !== "" && chosen.length > 0;

  const release = () => {
    setPending(true);
    setError(null);
    operation(host, "release_stop", { stop_ids: stopIds, robots: chosen, reason: reason.trim() })
      .catch((thrown: unknown) => setError(toHostError(thrown)))
      .finally(() => setPending(false));
  };
  const version = `${stopIds.join(" ")} ${chosen.join(" ")}`;
  const hold = useHold({ version, needsHold: true, disabled: !ready || pending, onAct: release });

  const toggle = (robot: string) => setLeft(toggled(left, robot));

  return (
    <div className={styles.form} role="group" aria-label={WORDS.release}>
      <p>{stopIds.length === 0 ? WORDS.releaseNothing : WORDS.releaseWhat(stopIds.map((id) => `#${id}`).join(", "))}</p>
      <div className={styles.robots}>
        {robots.map((robot) => (
          <label key={robot} className={styles.robot}>
            <input
              type="checkbox"
              checked={chosen.includes(robot)}
              disabled={blocked.has(robot)}
              onChange={() => toggle(robot)}
            />
            {robot}
            {blocked.has(robot) && <small className={styles.muted}>{WORDS.blocked}</small>}
          </label>
        ))}
      </div>
      {blockers.length > 0 && <Blockers host={host} blockers={blockers} mayAct={mayRelease} onLeave={onLeave} />}
      <div className={styles.act}>
        <label className={styles.reason}>
          {WORDS.reason}
          <input
            value={reason}
            placeholder={WORDS.reasonHint}
            data-testid="release-reason"
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <button
          type="button"
          data-testid="release"
          data-phase={hold.phase}
          className={hold_styles.button}
          disabled={!ready || pending || hold.guarded}
          {...hold.handlers}
        >
          <HoldFace
            phase={pending ? "sending" : hold.phase}
            label={WORDS.releaseButton}
            hint={hintOf(hold.phase, pending)}
          />
        </button>
      </div>
      {!ready && <p className={styles.muted}>{mayRelease ? WORDS.needsReason : WORDS.needsOperator}</p>}
      {error && <p role="alert">{error.message}</p>}
    </div>
  );
}

function toggled(robots: ReadonlySet<string>, robot: string): ReadonlySet<string> {
  const next = new Set(robots);
  if (!next.delete(robot)) next.add(robot);
  return next;
}

function hintOf(phase: "idle" | "holding" | "armed", pending: boolean): string {
  if (pending) return WORDS.releasing;
  switch (phase) {
    case "idle":
      return WORDS.hold;
    case "holding":
      return WORDS.keepHolding;
    case "armed":
      return WORDS.again;
  }
}
