import { useState } from "react";
import type { Stop } from "../generated/bindings/Stop";
import { type Host, type HostError, toHostError } from "../host/host";
import { operation } from "../host/operations";
import { BareButton } from "../design/components/BareButton";
import { HoldFace } from "../design/hold/HoldFace";
import hold_styles from "../design/hold/Hold.module.css";
import { useHold } from "../design/shortcuts/useHold";
import styles from "./ReleaseForm.module.css";
import { stopIdsOf } from "./stop-view";
import { words } from "./strings";

type ReleaseFormProps = {
  host: Host;
  /** The open stops. */
  stops: readonly Stop[];
  robots: readonly string[];
  /** Robots among them that the station would not release now. */
  blocked: readonly string[];
  /** The reason why nothing may be released here; null where it may. */
  refusal: string | null;
};

/** Lets commands through again for chosen robots: a reason, and a press held for 1 s (U-610). */
export function ReleaseForm({ host, stops, robots, blocked, refusal }: ReleaseFormProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [choosing, setChoosing] = useState(false);
  const [reason, setReason] = useState("");
  const { run, pending, error } = useRelease(host);
  // What is kept is who was left out: a robot that is stopped later belongs to the release.
  const chosen = robots.filter((robot) => !left.has(robot) && !blocked.includes(robot));
  const stopIds = stopIdsOf(stops, chosen);
  const missing =
    refusal ?? (chosen.length === 0 ? words().needsRobot : reason.trim() === "" ? words().needsReason : null);

  const release = () =>
    // The next release needs a reason of its own.
    run({ stop_ids: stopIds, robots: chosen, reason: reason.trim() }, () => setReason(""));
  // Another stop or another robot is another release: the hold begins anew, behind its guard.
  const version = `${stopIds.join(" ")} ${chosen.join(" ")}`;
  const hold = useHold({ version, needsHold: true, disabled: missing !== null || pending, onAct: release });

  return (
    <div className={styles.form} role="group" aria-label={words().release}>
      <p className={styles.what}>
        <span>{words().releaseWhat(chosen, robots.length)}</span>
        {(robots.length > 1 || robots.some((robot) => left.has(robot))) && (
          <button
            type="button"
            className={styles.choose}
            aria-expanded={choosing}
            data-testid="release-choose"
            onClick={() => setChoosing(!choosing)}
          >
            {words().choose}
          </button>
        )}
      </p>
      {choosing && (
        <RobotChoice
          robots={robots}
          chosen={chosen}
          blocked={blocked}
          onToggle={(robot) => setLeft(toggled(left, robot))}
        />
      )}
      <label className={styles.reason}>
        {words().reason}
        <input
          value={reason}
          placeholder={words().reasonHint}
          data-testid="release-reason"
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <BareButton
        data-testid="release"
        data-phase={hold.phase}
        className={`${hold_styles.button} ${styles.button}`}
        disabled={missing !== null || pending || hold.guarded}
        {...hold.handlers}
      >
        <HoldFace
          phase={pending ? "sending" : hold.phase}
          label={words().releaseButton(stopIds.map((id) => `#${id}`))}
          hint={missing ?? hintOf(hold.phase, pending)}
        />
      </BareButton>
      {error && <p role="alert">{words().refusal(error.code, error.message)}</p>}
    </div>
  );
}

type Release = { stop_ids: number[]; robots: string[]; reason: string };

/** The call of a release, on its way or refused. */
function useRelease(host: Host) {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<HostError | null>(null);
  const run = (release: Release, onDone: () => void) => {
    setPending(true);
    setError(null);
    operation(host, "release_stop", release)
      .then(onDone, (thrown: unknown) => setError(toHostError(thrown)))
      .finally(() => setPending(false));
  };
  return { run, pending, error };
}

type RobotChoiceProps = {
  robots: readonly string[];
  chosen: readonly string[];
  blocked: readonly string[];
  onToggle: (robot: string) => void;
};

/** A release of some of the robots leaves the others stopped. */
function RobotChoice({ robots, chosen, blocked, onToggle }: RobotChoiceProps) {
  return (
    <div className={styles.robots}>
      {robots.map((robot) => (
        <label key={robot} className={styles.robot}>
          <input
            type="checkbox"
            checked={chosen.includes(robot)}
            disabled={blocked.includes(robot)}
            onChange={() => onToggle(robot)}
          />
          {robot}
          {blocked.includes(robot) && <small className={styles.muted}>{words().blocked}</small>}
        </label>
      ))}
    </div>
  );
}

function toggled(robots: ReadonlySet<string>, robot: string): ReadonlySet<string> {
  const next = new Set(robots);
  if (!next.delete(robot)) next.add(robot);
  return next;
}

function hintOf(phase: "idle" | "holding" | "armed", pending: boolean): string {
  if (pending) return words().releasing;
  switch (phase) {
    case "idle":
      return words().hold;
    case "holding":
      return words().keepHolding;
    case "armed":
      return words().again;
  }
}
