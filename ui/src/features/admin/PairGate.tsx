import { useState } from "react";
import { useLocation } from "wouter";
import type { PairingView } from "../../generated/bindings/PairingView";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { TextField } from "../../design/fields/TextField";
import { formatSilence } from "../../design/format/time";
import { Panel } from "../../design/layout/Panel";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { ManifestFacts } from "./ManifestFacts";
import { pairingProblem } from "./pairing-problem";
import { RouterRules } from "./RouterRules";

/** The command at the gate, unless its folder is known; it is typed as it stands. */
const COMMAND = "quarterdeck-gate pair --config gate.toml";

/** Pairs the gate of a robot: both show six digits, and a person compares them. Behind a router the gate gets its credentials. */
export function PairGate({ command = COMMAND }: { command?: string }) {
  const pairing = useRows("connections", "get_pairing", {});
  const connections = useRows("connections", "get_connections", {});
  return (
    <Panel title={t("pairing.title")}>
      <Rows query={pairing} what={t("pairing.title")}>
        {({ rows: open, asked_ms }) => (
          <Rows query={connections} what={t("settings.connections")}>
            {({ rows }) => (
              <Step pairing={open} asked_ms={asked_ms} command={command} beyond={rows.profile === "production"} />
            )}
          </Rows>
        )}
      </Rows>
    </Panel>
  );
}

type StepProps = { pairing: PairingView; asked_ms: number; command: string; beyond: boolean };

function Step({ pairing, asked_ms, command, beyond }: StepProps) {
  const { state, tries_left, robot } = pairing;
  const problem = pairingProblem(pairing);
  return (
    <div data-testid="pairing" data-state={state}>
      <div role="status">
        {problem !== null && (
          <Notice title={t("pairing.failed")} detail={`${problem} ${t("pairing.tries", { count: tries_left })}`} />
        )}
        {state === "waiting" && <Waiting pairing={pairing} asked_ms={asked_ms} command={command} />}
        {state === "confirmed" && <Notice title={t("pairing.at_gate")} detail={t("pairing.at_gate_detail")} />}
        {state === "paired" && <Paired robot={robot ?? ""} beyond={beyond} />}
      </div>
      {state === "paired" && beyond && <RouterRules />}
      {(state === "comparing" || state === "confirmed") && <Digits pairing={pairing} />}
      <Acts pairing={pairing} beyond={beyond} />
    </div>
  );
}

/** Acts of a person: opens the pairing, behind a router at an address of this station, confirms it, ends it. */
function Acts({ pairing: { state, digits }, beyond }: Pick<StepProps, "pairing" | "beyond">) {
  const [address, setAddress] = useState("");
  const open = useOperation("open_pairing");
  const close = useOperation("close_pairing");
  const refusal = useAdminRefusal();
  const named = address.trim() === "" ? null : address.trim();
  const means = t(beyond ? "pairing.means_beyond" : "pairing.means");
  return (
    <div className={styles.line}>
      {state === "closed" && <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? means}</span>}
      {state === "closed" && beyond && (
        <TextField
          label={t("pairing.address")}
          value={address}
          problem={null}
          testId="pairing-address"
          onChange={(next) => {
            setAddress(next);
            open.forget();
          }}
        />
      )}
      {state === "comparing" && <Confirm digits={digits ?? ""} />}
      {state === "closed" ? (
        <Button
          data-testid="pairing-open"
          disabled={refusal !== null || open.pending}
          onClick={() => open.run({ address: named })}
        >
          {t("pairing.open")}
        </Button>
      ) : (
        <Button
          look="quiet"
          data-testid="pairing-close"
          disabled={refusal !== null || close.pending}
          onClick={() => close.run({})}
        >
          {t(state === "comparing" ? "pairing.differ" : state === "paired" ? "common.close" : "safety.cancel")}
        </Button>
      )}
      <Refusal error={open.error ?? close.error} />
    </div>
  );
}

function Waiting({ pairing: { closes_in_ms, endpoint }, asked_ms, command }: Omit<StepProps, "beyond">) {
  const left = useLive(({ time }) =>
    formatSilence(Math.max(0, (closes_in_ms ?? 0) - Math.max(0, time.local_ms - asked_ms))),
  );
  // A gate on another computer cannot find this station by itself.
  const typed = endpoint === null ? command : `${command} --station ${endpoint}`;
  return (
    <div className={styles.line}>
      <span className={styles.wide}>
        {t("pairing.waiting")} <code className={styles.result}>{typed}</code>
      </span>
      {/* A timer, because what stands in a status is read out whenever it changes. */}
      <span role="timer" className={styles.hint}>
        {t("pairing.closes", { left })}
      </span>
    </div>
  );
}

/** The digits in two groups, and what the gate says its robot is. */
function Digits({ pairing: { digits, meaning } }: { pairing: PairingView }) {
  const shown = digits ?? "";
  return (
    <>
      <p className={styles.digits} data-testid="pairing-digits" aria-label={t("pairing.digits", { digits: shown })}>
        {shown.slice(0, 3)} {shown.slice(3)}
      </p>
      {meaning !== null && <ManifestFacts meaning={meaning} />}
    </>
  );
}

function Confirm({ digits }: { digits: string }) {
  const confirm = useOperation("confirm_pairing");
  const refusal = useAdminRefusal();
  return (
    <>
      <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? t("pairing.compare")}</span>
      <Button
        look="primary"
        data-testid="pairing-confirm"
        disabled={refusal !== null || confirm.pending}
        onClick={() => confirm.run({ digits })}
      >
        {t("pairing.equal")}
      </Button>
      <Refusal error={confirm.error} />
    </>
  );
}

function Paired({ robot, beyond }: { robot: string; beyond: boolean }) {
  const [, navigate] = useLocation();
  return (
    <Notice
      title={t("pairing.paired", { robot })}
      detail={t(beyond ? "pairing.paired_beyond" : "pairing.paired_detail")}
    >
      <Button size="row" onClick={() => navigate(`/safety/${encodeURIComponent(robot)}`)}>
        {t("pairing.show", { robot })}
      </Button>
    </Notice>
  );
}
