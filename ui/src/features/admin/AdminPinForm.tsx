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
  const send = async (pin: string) => {
    if (field.current) field.current.value = "";
    if ((await set.send({ pin })) !== null) note(true);
  };
  return (
    <Panel title={t("admin_pin.title")} aside={t(isSet ? "admin_pin.is_set" : "admin_pin.is_not_set")}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const pin = field.current?.value ?? "";
          if (refusal === null && pin !== "") void send(pin);
        }}
      >
        <SecretField
          label={t("admin_pin.new")}
          ref={field}
          testId="pin-new"
          problem={problemAt(set.error, "pin")?.message ?? null}
          onChange={() => {
            set.forget();
            setDone(null);
          }}
        />
        <Button type="submit" data-testid="pin-set" disabled={refusal !== null || set.pending}>
          {set.pending ? t("hold.sending") : t(isSet ? "admin_pin.change" : "admin_pin.set")}
        </Button>
        {isSet && (
          <Button
            look="quiet"
            data-testid="pin-remove"
            disabled={refusal !== null || remove.pending}
            onClick={() => remove.run({}, () => note(false))}
          >
            {t("admin_pin.remove")}
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
