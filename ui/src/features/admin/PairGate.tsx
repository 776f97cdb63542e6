import { useLocation } from "wouter";
import type { PairingView } from "../../generated/bindings/PairingView";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { formatSilence } from "../../design/format/time";
import { Panel } from "../../design/layout/Panel";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { ManifestFacts } from "./ManifestFacts";

/** The command at the gate, unless its folder is known; it is typed as it stands. */
const COMMAND = "quarterdeck-gate pair --config gate.toml";

/** Pairs the gate of a robot on this computer: both show six digits, and a person compares them. */
export function PairGate({ command = COMMAND }: { command?: string }) {
  const pairing = useRows("connections", "get_pairing", {});
  return (
    <Panel title={t("pairing.title")}>
      <Rows query={pairing} what={t("pairing.title")}>
        {({ rows }) => <Step pairing={rows} command={command} />}
      </Rows>
    </Panel>
  );
}

function Step({ pairing, command }: { pairing: PairingView; command: string }) {
  const { state, problem, tries_left } = pairing;
  const open = useOperation("open_pairing");
  const close = useOperation("close_pairing");
  const refusal = useAdminRefusal();
  return (
    <div data-testid="pairing" data-state={state}>
      <div role="status">
        {problem !== null && (
          <Notice title={t("pairing.failed")} detail={`${problem} ${t("pairing.tries", { count: tries_left })}`} />
        )}
        {state === "waiting" && <Waiting closes_in_ms={pairing.closes_in_ms} command={command} />}
        {state === "confirmed" && <Notice title={t("pairing.at_gate")} detail={t("pairing.at_gate_detail")} />}
        {state === "paired" && <Paired robot={pairing.robot ?? ""} />}
      </div>
      {(state === "comparing" || state === "confirmed") && <Digits pairing={pairing} />}
      <div className={styles.line}>
        {state === "closed" && <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? t("pairing.means")}</span>}
        {state === "comparing" && <Confirm digits={pairing.digits ?? ""} />}
        {state === "closed" ? (
          <Button data-testid="pairing-open" disabled={refusal !== null || open.pending} onClick={() => open.run({})}>
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
    </div>
  );
}

function Waiting({ closes_in_ms, command }: { closes_in_ms: number | null; command: string }) {
  return (
    <div className={styles.line}>
      <span className={styles.wide}>
        {t("pairing.waiting")} <code className={styles.result}>{command}</code>
      </span>
      <span className={styles.hint}>{t("pairing.closes", { left: formatSilence(closes_in_ms ?? 0) })}</span>
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

function Paired({ robot }: { robot: string }) {
  const [, navigate] = useLocation();
  return (
    <Notice title={t("pairing.paired", { robot })} detail={t("pairing.paired_detail")}>
      <Button size="row" onClick={() => navigate(`/safety/${encodeURIComponent(robot)}`)}>
        {t("pairing.show", { robot })}
      </Button>
    </Notice>
  );
}
