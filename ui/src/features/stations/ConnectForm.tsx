import { useRef, useState } from "react";
import type { Looked } from "../../generated/bindings/Looked";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { CheckField } from "../../design/fields/CheckField";
import { SecretField } from "../../design/fields/SecretField";
import { TextField } from "../../design/fields/TextField";
import { Panel } from "../../design/layout/Panel";
import { useDeskAct } from "../../domain/station/useDesk";
import { t } from "../../locales/i18n";
import styles from "./Stations.module.css";

/**
 * Connects to a station elsewhere: its certificate is looked at, a person compares the fingerprint, and only then is the
 * token sent. The token's field is the browser's own: the window reads it once, sends it and empties it.
 */
export function ConnectForm() {
  const [address, setAddress] = useState("");
  const [answer, setAnswer] = useState<{ asked: string; looked: Looked } | null>(null);
  const look = useDeskAct();
  const find = async () => {
    const status = await look.send({ act: "look", address });
    const looked = status?.looked ?? null;
    setAnswer(looked && { asked: address, looked });
  };
  // The address may have been changed while the answer was on its way: that is the certificate of another station.
  const looked = answer?.asked === address ? answer.looked : null;
  return (
    <Panel title={t("stations.another")}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (address.trim() !== "") void find();
        }}
      >
        <TextField
          label={t("stations.address")}
          value={address}
          problem={null}
          testId="station-address"
          onChange={(next) => {
            setAddress(next);
            setAnswer(null);
            look.forget();
          }}
        />
        <Button
          type="submit"
          look={looked === null ? "primary" : "plain"}
          data-testid="station-look"
          disabled={address.trim() === "" || look.pending}
        >
          {look.pending ? t("hold.sending") : t("stations.look")}
        </Button>
        <p className={styles.hint}>{t("stations.look_means")}</p>
        <Refusal error={look.error} />
      </form>
      {looked !== null && <Compare key={`${looked.address} ${looked.shown}`} looked={looked} />}
    </Panel>
  );
}

/** The fingerprint beside the token; both belong to the station that is meant. */
function Compare({ looked: { address, shown, pinned } }: { looked: Looked }) {
  const [name, setName] = useState("");
  const [compared, setCompared] = useState(false);
  const token = useRef<HTMLInputElement>(null);
  const call = useDeskAct();
  const connect = () => {
    const secret = token.current?.value.trim() ?? "";
    if (token.current === null || !compared) return;
    if (secret === "") return token.current.focus();
    // Emptied before it is sent: a refusal must not leave a token in the page.
    token.current.value = "";
    void call.send({ act: "connect", name, address, fingerprint: shown, token: secret });
  };
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        connect();
      }}
    >
      <div className={styles.wide}>
        <p>{t("stations.shown_by", { address })}</p>
        <code className={styles.fingerprint} data-testid="station-fingerprint">
          {shown}
        </code>
        {pinned !== null && pinned !== shown && (
          <p role="alert" className={styles.strong}>
            {t("stations.changed", { pinned, shown })}
          </p>
        )}
        <p className={styles.hint}>{t("stations.compare_means")}</p>
      </div>
      <div className={styles.wide}>
        <CheckField
          label={t("stations.compared")}
          checked={compared}
          testId="station-compared"
          onChange={setCompared}
        />
      </div>
      <TextField label={t("stations.name")} value={name} problem={null} testId="station-name" onChange={setName} />
      <SecretField label={t("sign_in.token")} ref={token} testId="station-token" onChange={call.forget} />
      <Button type="submit" look="primary" data-testid="station-connect" disabled={!compared || call.pending}>
        {call.pending ? t("hold.sending") : t("stations.connect")}
      </Button>
      <p className={styles.hint}>{t("stations.token_means")}</p>
      <Refusal error={call.error} />
    </form>
  );
}
