import { type FormEvent, useState } from "react";
import type { CauseRow } from "../generated/bindings/CauseRow";
import { causeAct } from "../domain/stop/cause-act";
import { type Host, type HostError, toHostError } from "../host/host";
import { operation } from "../host/operations";
import styles from "./BlockerAct.module.css";
import { words } from "./strings";

type BlockerActProps = { host: Host; robot: string; cause: CauseRow; refusal: string | null };

/** The act that a cause needs, beside it: acknowledging it with a reason, or disarming after a look at the robot. */
export function BlockerAct({ host, robot, cause, refusal: closed }: BlockerActProps) {
  const [reason, setReason] = useState("");
  const [looked, setLooked] = useState(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<HostError | null>(null);
  // A robot whose cause came back after it was looked at has to be looked at again.
  if (cause.present && looked) setLooked(false);
  const act = causeAct(cause.clears);
  if (act === null) return null;
  const refusal = closed ?? (cause.present ? words().stillHolds : null);
  const ready = refusal === null && !pending && (act === "look" ? looked : reason.trim() !== "");

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    setPending(true);
    setError(null);
    const answer: Promise<unknown> =
      act === "look"
        ? operation(host, "disarm_robot", { robot, looked })
        : operation(host, "acknowledge_cause", { robot, cause: cause.cause, reason: reason.trim() });
    answer.catch((thrown: unknown) => setError(toHostError(thrown))).finally(() => setPending(false));
  };

  return (
    <form className={styles.act} onSubmit={submit}>
      {act === "look" ? (
        <label className={styles.looked}>
          <input
            type="checkbox"
            checked={looked}
            data-testid={`stop-look-${robot}`}
            onChange={(event) => setLooked(event.target.checked)}
          />
          {words().looked(robot)}
        </label>
      ) : (
        <input
          className={styles.reason}
          value={reason}
          aria-label={words().whyOver}
          placeholder={words().whyOver}
          data-testid={`stop-reason-${robot}-${cause.cause}`}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
      <button
        type="submit"
        className={styles.button}
        disabled={!ready}
        data-testid={`stop-act-${robot}-${cause.cause}`}
      >
        {pending ? words().releasing : act === "look" ? words().disarm(robot) : words().acknowledge}
      </button>
      {refusal !== null && <small>{refusal}</small>}
      {error && <p role="alert">{words().refusal(error.code, error.message)}</p>}
    </form>
  );
}
