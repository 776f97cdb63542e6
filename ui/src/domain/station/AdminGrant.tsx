import { useState } from "react";
import { BareButton } from "../../design/components/BareButton";
import { formatAge } from "../../design/format/time";
import { AdminPinPrompt } from "./AdminPinPrompt";
import { useAskedFocus } from "./useAsked";
import { useLive } from "./useLive";
import { useOperation } from "./useOperation";
import { mayRaise, useAdminRaise, useTakeGrant } from "./useAdminRaise";
import { t } from "../../locales/i18n";
import { Refusal } from "../../design/components/Refusal";
import styles from "./AdminGrant.module.css";

/**
 * Acts as Admin for a while, or ends that; the time left stands beside it. Nothing for a Viewer, a standing Admin, or the
 * bearer of a token, whose role nothing raises. `low` fits the status bar.
 */
export function AdminGrant({ low = false }: { low?: boolean }) {
  const isOffered = useLive(mayRaise);
  const until_mono_ms = useLive((live) => live.session?.admin_until_mono_ms ?? null);
  if (until_mono_ms !== null) return <Granted until_mono_ms={until_mono_ms} low={low} />;
  return isOffered ? <Raise low={low} /> : null;
}

function Granted({ until_mono_ms, low }: { until_mono_ms: number; low: boolean }) {
  const left = useLive(({ time }) =>
    formatAge(time.now_ms === null ? null : Math.max(0, Math.ceil((until_mono_ms - time.now_ms) / 1_000)) * 1_000),
  );
  const lost = useLive((live) => live.time.lost);
  const end = useOperation("end_admin");
  const take = useTakeGrant();
  return (
    <span className={styles.grant} data-low={low} data-testid="admin-grant">
      <strong>{t("admin.left", { left })}</strong>
      <BareButton className={styles.button} disabled={lost || end.pending} onClick={() => end.run({}, take)}>
        {end.pending ? t("hold.sending") : t("admin.end")}
      </BareButton>
      <Refusal error={end.error} />
    </span>
  );
}

/** Raises at one press, or asks for the PIN first. */
function Raise({ low }: { low: boolean }) {
  const lost = useLive((live) => live.time.lost);
  const { hasPin, pending, error, forget, raise } = useAdminRaise();
  // A PIN that is wrong leaves the prompt open for another try.
  const [asksPin, setAsksPin] = useState(false);
  const { asks } = useAskedFocus(asksPin);
  return (
    <span className={styles.grant} data-low={low} data-testid="admin-grant">
      {asksPin ? (
        <AdminPinPrompt
          disabled={lost || pending}
          onChange={forget}
          onPin={(pin) => void raise({ pin })}
          onCancel={() => {
            forget();
            setAsksPin(false);
          }}
        />
      ) : (
        <BareButton
          ref={asks}
          className={styles.button}
          disabled={lost || pending}
          onClick={() => (hasPin ? setAsksPin(true) : void raise({}))}
        >
          {pending ? t("hold.sending") : t("admin.act")}
        </BareButton>
      )}
      <Refusal error={error} />
    </span>
  );
}
