import { useRef, useState } from "react";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { problemAt } from "../../design/fields/refusal";
import { SecretField } from "../../design/fields/SecretField";
import { useStation } from "../../domain/station/station-context";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { useSecretOperation } from "../../domain/station/useSecretOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Sets the PIN that is asked of whoever acts as Admin, or removes it. */
export function AdminPinForm() {
  const { store } = useStation();
  const isSet = useLive((live) => live.session?.has_admin_pin ?? false);
  const refusal = useAdminRefusal();
  const [done, setDone] = useState<"set" | "removed" | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const set = useSecretOperation("set_admin_pin");
  const remove = useOperation("remove_admin_pin");
  const note = (has_admin_pin: boolean) => {
    if (store.session) store.applySession({ ...store.session, has_admin_pin });
    setDone(has_admin_pin ? "set" : "removed");
  };
  // What was done last says nothing about what is tried now, and neither does its refusal.
  const begin = () => {
    set.forget();
    remove.forget();
    setDone(null);
  };
  const send = async () => {
    const input = field.current;
    if (input === null || refusal !== null) return;
    const pin = input.value;
    if (pin === "") return input.focus();
    input.value = "";
    begin();
    if ((await set.send({ pin })) !== null) note(true);
  };
  return (
    <Panel title={t("admin_pin.title")} aside={t(isSet ? "admin_pin.is_set" : "admin_pin.is_not_set")}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <SecretField
          label={t("admin_pin.new")}
          ref={field}
          testId="pin-new"
          problem={problemAt(set.error, "pin")?.message ?? null}
          onChange={begin}
        />
        <Button type="submit" data-testid="pin-set" disabled={refusal !== null || set.pending || remove.pending}>
          {set.pending ? t("hold.sending") : t(isSet ? "admin_pin.change" : "admin_pin.set")}
        </Button>
        {isSet && (
          <Button
            look="quiet"
            data-testid="pin-remove"
            disabled={refusal !== null || set.pending || remove.pending}
            onClick={() => {
              begin();
              remove.run({}, () => note(false));
            }}
          >
            {remove.pending ? t("hold.sending") : t("admin_pin.remove")}
          </Button>
        )}
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
