import { type FormEvent, useId, useRef, useState } from "react";
import { BareButton } from "../design/components/BareButton";
import { useFocusBack } from "../design/fields/useFocusBack";
import type { CauseRow } from "../generated/bindings/CauseRow";
import { type CauseAct, causeAct } from "../domain/stop/cause-act";
import { type Host, type HostError, toHostError } from "../host/host";
import { operation } from "../host/operations";
import styles from "./BlockerAct.module.css";
import { words } from "./strings";

type BlockerActProps = { host: Host; robot: string; cause: CauseRow; refusal: string | null };

/** The act that a cause needs, beside it: acknowledging it with a reason, or disarming after a look at the robot. */
export function BlockerAct(props: BlockerActProps) {
  const act = causeAct(props.cause.clears);
  return act === null ? null : <Act {...props} act={act} />;
}

function Act({ host, robot, cause, refusal: closed, act }: BlockerActProps & { act: CauseAct }) {
  const [reason, setReason] = useState("");
  const [looked, setLooked] = useState(false);
  const { run, forget, pending, error } = useCall();
  const form = useRef<HTMLFormElement>(null);
  const why = useId();
  // The cause ends with the act, and its line goes: the focus stays in the sheet.
  useFocusBack(form, () => form.current?.closest<HTMLElement>("[tabindex]")?.focus());
  const refusal = closed ?? (cause.present ? words().stillHolds : null);
  // What happened meanwhile makes the look an old one: the robot has to be looked at again.
  if (refusal !== null && looked) setLooked(false);
  const ready = refusal === null && !pending && (act === "look" ? looked : reason.trim() !== "");

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    if (act === "look")
      // After a refusal too: whatever made the station refuse may have come since the look.
      void run(() => operation(host, "disarm_robot", { robot, looked })).then(() => setLooked(false));
    else void run(() => operation(host, "acknowledge_cause", { robot, cause: cause.cause, reason: reason.trim() }));
  };

  return (
    <form ref={form} className={styles.act} onSubmit={submit}>
      {act === "look" ? (
        <label className={styles.looked}>
          <input
            type="checkbox"
            checked={looked}
            // Not `disabled`: the condition may come back while the focus is here, and would take it away.
            aria-disabled={refusal !== null}
            aria-describedby={refusal === null ? undefined : why}
            data-testid={`stop-look-${robot}`}
            onChange={(event) => {
              if (refusal !== null) return;
              setLooked(event.target.checked);
              forget();
            }}
          />
          {words().looked(robot)}
        </label>
      ) : (
        <input
          className={styles.reason}
          value={reason}
          aria-label={words().whyOver}
          aria-describedby={refusal === null ? undefined : why}
          placeholder={words().whyOver}
          data-testid={`stop-reason-${robot}-${cause.cause}`}
          onChange={(event) => {
            setReason(event.target.value);
            forget();
          }}
        />
      )}
      <BareButton
        type="submit"
        className={styles.button}
        disabled={!ready}
        data-testid={`stop-act-${robot}-${cause.cause}`}
      >
        {pending ? words().releasing : act === "look" ? words().disarm(robot) : words().acknowledge}
      </BareButton>
      {refusal !== null && <small id={why}>{refusal}</small>}
      {error && <p role="alert">{words().refusal(error.code, error.message)}</p>}
    </form>
  );
}

/** One call at a time, and its refusal until what it was about has changed. */
function useCall() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<HostError | null>(null);
  // A busy window hears two presses before it draws.
  const underWay = useRef(false);
  const run = async (call: () => Promise<unknown>) => {
    if (underWay.current) return;
    underWay.current = true;
    setPending(true);
    setError(null);
    try {
      await call();
    } catch (thrown) {
      setError(toHostError(thrown));
    } finally {
      underWay.current = false;
      setPending(false);
    }
  };
  return { run, forget: () => setError(null), pending, error };
}
