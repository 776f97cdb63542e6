import { useRef, useState } from "react";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { problemAt } from "../../design/fields/refusal";
import { SecretField } from "../../design/fields/SecretField";
import { useStation } from "../../domain/station/station-context";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useAsked } from "../../domain/station/useAsked";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { useSecretOperation } from "../../domain/station/useSecretOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Sets the PIN that is asked of whoever acts as Admin, or removes it. */
export function AdminPinForm() {
  const isSet = useLive((live) => live.session?.has_admin_pin ?? false);
  const refusal = useAdminRefusal();
  const field = useRef<HTMLInputElement>(null);
  const { set, remove, done, begin, send, removeIt } = useAdminPin();
  const isClosed = refusal !== null || set.pending || remove.pending;
  const submit = () => {
    const input = field.current;
    if (input === null || isClosed) return;
    const pin = input.value;
    if (pin === "") return input.focus();
    input.value = "";
    void send(pin);
  };
  return (
    <Panel title={t("admin_pin.title")} aside={t(isSet ? "admin_pin.is_set" : "admin_pin.is_not_set")}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SecretField
          label={t("admin_pin.new")}
          ref={field}
          testId="pin-new"
          problem={problemAt(set.error, "pin")?.message ?? null}
          onChange={begin}
        />
        <Button type="submit" data-testid="pin-set" disabled={isClosed}>
          {set.pending ? t("hold.sending") : t(isSet ? "admin_pin.change" : "admin_pin.set")}
        </Button>
        {isSet && <RemovePin disabled={isClosed} pending={remove.pending} onAsk={begin} onRemove={removeIt} />}
        <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? t("admin_pin.means")}</span>
        <div className={styles.wide}>
          <Refusal error={problemAt(set.error, "pin") ? null : (set.error ?? remove.error)} />
        </div>
        {done !== null && (
          <p className={styles.wide} role="status">
            {t(`admin_pin.done_${done}`)}
          </p>
        )}
      </form>
    </Panel>
  );
}

/** The two calls, and what the last of them did. */
function useAdminPin() {
  const { store } = useStation();
  const [done, setDone] = useState<"set" | "removed" | null>(null);
  const set = useSecretOperation("set_admin_pin");
  const remove = useOperation("remove_admin_pin");
  const note = (has_admin_pin: boolean) => {
    // Nothing announces it, and the window asks for the session again only now and then.
    if (store.session) store.applySession({ ...store.session, has_admin_pin });
    setDone(has_admin_pin ? "set" : "removed");
  };
  // What was done last says nothing about what is tried now, and neither does its refusal.
  const begin = () => {
    set.forget();
    remove.forget();
    setDone(null);
  };
  const send = async (pin: string) => {
    begin();
    if ((await set.send({ pin })) !== null) note(true);
  };
  const removeIt = () => {
    begin();
    remove.run({}, () => note(false));
  };
  return { set, remove, done, begin, send, removeIt };
}

type RemovePinProps = { disabled: boolean; pending: boolean; onAsk: () => void; onRemove: () => void };

/** Asks once more: without a PIN anyone at this desk can act as Admin, and nobody can put the old one back. */
function RemovePin({ disabled, pending, onAsk, onRemove }: RemovePinProps) {
  const { asked, asks, givesUp, ask, giveUp, onKeyDown, onConfirm } = useAsked(onAsk);
  if (!asked) {
    return (
      <Button
        // Its element must not become the one that removes: the focus is in it, and Enter may be held down.
        key="asks"
        ref={asks}
        look="quiet"
        data-testid="pin-remove"
        disabled={disabled}
        onClick={() => {
          onAsk();
          ask();
        }}
      >
        {t("admin_pin.remove")}
      </Button>
    );
  }
  return (
    <>
      <Button
        key="removes"
        data-testid="pin-remove-yes"
        disabled={disabled}
        onKeyDown={onKeyDown}
        onClick={onConfirm(onRemove)}
      >
        {pending ? t("hold.sending") : t("admin_pin.remove")}
      </Button>
      <Button key="gives up" ref={givesUp} look="quiet" onKeyDown={onKeyDown} onClick={giveUp}>
        {t("safety.cancel")}
      </Button>
    </>
  );
}
