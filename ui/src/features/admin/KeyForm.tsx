import { useRef, useState } from "react";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { CheckField } from "../../design/fields/CheckField";
import { problemAt } from "../../design/fields/refusal";
import { SecretField } from "../../design/fields/SecretField";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { useSetSecret } from "./useSetSecret";

/** Takes a key. Its field is the browser's own: the window reads it once, sends it and empties it. */
export function KeyForm() {
  const [name, setName] = useState("");
  const [sessionOnly, setSessionOnly] = useState(false);
  const [kept, setKept] = useState<{ name: string; inMemory: boolean } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const secret = useSetSecret();
  const refusal = useAdminRefusal();
  const noKeychain = secret.error?.code === "keychain_unavailable";
  const changed = () => {
    secret.forget();
    setKept(null);
  };
  const submit = async () => {
    const value = field.current?.value ?? "";
    if (field.current === null || name.trim() === "") return;
    if (value.trim() === "") return field.current.focus();
    field.current.value = "";
    setKept(null);
    if (await secret.send(name.trim(), value.trim(), sessionOnly))
      setKept({ name: name.trim(), inMemory: sessionOnly });
  };
  return (
    <Panel title={t("keys.add_title")}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === null) void submit();
        }}
      >
        <TextField
          label={t("keys.name")}
          value={name}
          problem={problemAt(secret.error, "name")?.message ?? null}
          testId="key-name"
          onChange={(next) => {
            setName(next);
            changed();
          }}
        />
        <SecretField testId="key-value" label={t("keys.value")} ref={field} onChange={changed} />
        <CheckField
          label={t("keys.session_only")}
          checked={sessionOnly}
          testId="key-session-only"
          onChange={setSessionOnly}
        />
        <Button
          type="submit"
          look="primary"
          data-testid="key-save"
          disabled={refusal !== null || name.trim() === "" || secret.pending}
        >
          {secret.pending ? t("hold.sending") : t("keys.keep")}
        </Button>
        <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? t("keys.means")}</span>
        <div className={styles.wide}>
          <Refusal error={secret.error} />
          {noKeychain && <p data-testid="keychain-remedy">{t("keys.remedy")}</p>}
        </div>
        {kept !== null && (
          <p className={styles.wide} role="status" data-testid="key-kept">
            {t(kept.inMemory ? "keys.is_kept_for_session" : "keys.is_kept", { name: kept.name })}
          </p>
        )}
      </form>
    </Panel>
  );
}
