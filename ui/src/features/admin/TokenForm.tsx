import { useState } from "react";
import type { TokenCreated } from "../../generated/bindings/TokenCreated";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { parseDecimal } from "../../design/fields/decimal";
import { NumberField } from "../../design/fields/NumberField";
import { problemAt } from "../../design/fields/refusal";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useLive } from "../../domain/station/useLive";
import { useSecretOperation } from "../../domain/station/useSecretOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import token_styles from "./TokenForm.module.css";
import { useCopy } from "../../design/components/useCopy";

const MAY = ["viewer", "stop", "operator", "admin"] as const;
const KINDS = ["person", "machine"] as const;

/** The fields of a token that is about to be made. */
function useNewToken() {
  const [label, setLabel] = useState("");
  const [kind, setKind] = useState<(typeof KINDS)[number]>("person");
  const [may, setMay] = useState<(typeof MAY)[number]>("operator");
  const [days, setDays] = useState("30");
  const [made, setMade] = useState<TokenCreated | null>(null);
  const create = useSecretOperation("create_token");
  const isShown = useLive(({ session }) => session?.role === "admin" && !session.locked);
  // Whoever passes by a locked desk may look at it, and acting as Admin ends because nobody may be there any more.
  if (made !== null && !isShown) setMade(null);
  const decimal = parseDecimal(days);
  // A token must not be valid for longer than was typed, so nothing is rounded.
  const lasting = "value" in decimal && Number.isInteger(decimal.value) && decimal.value > 0 ? decimal.value : null;
  const isWhole = label.trim() !== "" && lasting !== null;
  const send = async () => {
    if (!isWhole) return;
    const only_stops = may === "stop";
    const role = may === "stop" ? "viewer" : may;
    const answer = await create.send({ label: label.trim(), kind, role, only_stops, days: lasting });
    if (answer === null) return;
    setMade(answer);
    setLabel("");
  };
  const changes =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      create.forget();
    };
  return {
    label,
    kind,
    may,
    days,
    lasting,
    made,
    create,
    isWhole,
    send,
    setLabel: changes(setLabel),
    setKind: changes(setKind),
    setMay: changes(setMay),
    setDays: changes(setDays),
    onDone: () => setMade(null),
  };
}

/** Makes a token, and shows it once. */
export function TokenForm() {
  const { label, setLabel, kind, setKind, may, setMay, days, setDays, lasting, made, onDone, create, isWhole, send } =
    useNewToken();
  const refusal = useAdminRefusal();
  const problem = (field: string) => problemAt(create.error, field)?.message ?? null;
  return (
    <Panel title={t("access.new")}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === null) void send();
        }}
      >
        <TextField
          label={t("access.holder")}
          value={label}
          problem={problem("label")}
          testId="token-label"
          onChange={setLabel}
        />
        <SelectField
          label={t("access.kind")}
          value={kind}
          options={KINDS.map((value) => ({ value, text: t(`session_kind.${value}`) }))}
          problem={null}
          onChange={setKind}
        />
        <SelectField
          label={t("access.may")}
          value={may}
          options={MAY.map((value) => ({ value, text: t(`token_may.${value}`) }))}
          problem={problem("role")}
          onChange={setMay}
        />
        <NumberField
          field={{ label: t("access.lasts"), unit: t("access.days"), step: 1 }}
          text={days}
          problem={lasting === null ? t("access.problem_days") : problem("days")}
          onText={setDays}
        />
        <Button
          type="submit"
          look="primary"
          data-testid="token-make"
          disabled={refusal !== null || !isWhole || create.pending}
        >
          {create.pending ? t("hold.sending") : t("access.make")}
        </Button>
        <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? t("access.means")}</span>
        <div className={styles.wide}>
          <Refusal error={["label", "role", "days"].some((field) => problem(field) !== null) ? null : create.error} />
        </div>
      </form>
      {made !== null && <Made key={made.row.id} made={made} onDone={onDone} />}
    </Panel>
  );
}

/** Shows the token and how to use it. The station keeps a hash only, so nothing can show it again. */
function Made({ made: { token, row }, onDone }: { made: TokenCreated; onDone: () => void }) {
  const { outcome, copy } = useCopy();
  // The app's own page has an address that no other computer can open, on Windows one that begins with http.
  const isServed = window.location.protocol.startsWith("http") && window.location.hostname !== "tauri.localhost";
  const address = isServed ? window.location.origin : "http://127.0.0.1:PORT";
  const use = row.kind === "person" ? `${address}/#token=${token}` : `Authorization: Bearer ${token}`;
  return (
    <div className={token_styles.made} role="status" data-testid="token-made">
      <strong>{t("access.is_made", { label: row.label })}</strong>
      <p>{t("access.once")}</p>
      <code className={token_styles.token} data-testid="token-text">
        {token}
      </code>
      <p className={styles.hint}>
        {isServed ? "" : `${t("access.use_server")} `}
        {t(`access.use_${row.kind}`)}
      </p>
      <code className={token_styles.token}>{use}</code>
      <div className={token_styles.acts}>
        <Button look="primary" data-testid="token-copy" onClick={() => void copy(token)}>
          {t(outcome === "copied" ? "access.copied" : "access.copy")}
        </Button>
        <Button data-testid="token-done" onClick={onDone}>
          {t("access.done")}
        </Button>
      </div>
      {outcome === "failed" && <p>{t("common.copy_failed")}</p>}
    </div>
  );
}
