import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { Segments } from "../../design/components/Segments";
import { say } from "../../design/components/toast-queue";
import table from "../../design/components/table.module.css";
import { Panel } from "../../design/layout/Panel";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Faults of a simulated robot that an operator learns most from, as the simulator names them. */
const FAULTS = [
  "drop_link",
  "delay",
  "lossy",
  "stale_sensor",
  "frozen_sensor",
  "nan_sample",
  "no_ack",
  "never_moves",
  "pendant",
] as const;
type Fault = (typeof FAULTS)[number];

/** Starts and ends the simulator, and breaks its robots on purpose (U-1706). */
export function SimulatorSection() {
  return (
    <>
      <Running />
      <Faults />
    </>
  );
}

function Running() {
  const state = useLive((store) => store.session?.simulator ?? "stopped");
  const start = useOperation("start_simulator");
  const stop = useOperation("stop_simulator");
  const refusal = useCommandRefusal();
  // The call is answered before the process runs; only the session says that it does.
  const busy = start.pending || stop.pending || state === "starting";
  return (
    <Panel title={t("simulator.title")} aside={refusal}>
      <div className={styles.line}>
        <span data-testid="simulator-state">{t(`simulator.${state}`)}</span>
        {state === "running" ? (
          <Button data-testid="stop-simulator" disabled={busy || refusal !== null} onClick={() => stop.run({})}>
            {t("simulator.stop")}
          </Button>
        ) : (
          <Button
            look="primary"
            data-testid="start-simulator"
            disabled={busy || refusal !== null}
            onClick={() => start.run({})}
          >
            {t("overview.start_simulator")}
          </Button>
        )}
        <Refusal error={start.error ?? stop.error} />
      </div>
    </Panel>
  );
}

function Faults() {
  const robots = useRows("robots", "list_robots", {});
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Rows query={robots} what={t("overview.robots")}>
      {({ rows }) => {
        const simulated = rows.filter((robot) => robot.simulated);
        const target = simulated.find(({ id }) => id === chosen) ?? simulated[0];
        return (
          <Panel
            title={t("fault.title")}
            aside={
              target && (
                <Segments
                  label={t("overview.robots")}
                  value={target.id}
                  options={simulated.map(({ id }) => ({ value: id, text: id }))}
                  onChange={setChosen}
                />
              )
            }
          >
            {target === undefined ? (
              <Notice title={t("fault.none")} detail={t("fault.none_detail")} />
            ) : (
              <FaultTable key={target.id} target={target.id} />
            )}
          </Panel>
        );
      }}
    </Rows>
  );
}

function FaultTable({ target }: { target: string }) {
  return (
    <div className={table.scroll}>
      <table className={table.table} data-testid="faults">
        <thead>
          <tr>
            <th scope="col">{t("fault.fault")}</th>
            <th scope="col">{t("fault.means")}</th>
            <th scope="col">{t("fault.switch")}</th>
          </tr>
        </thead>
        <tbody>
          {FAULTS.map((fault) => (
            <FaultLine key={fault} target={target} fault={fault} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The simulator does not say which faults are on, so that both acts are always offered. */
function FaultLine({ target, fault }: { target: string; fault: Fault }) {
  const inject = useOperation("inject_fault");
  const refusal = useCommandRefusal();
  const name = t(`fault.name_${fault}`);
  const turn = (on: boolean) =>
    inject.run({ target, fault, on }, () => say({ text: t(on ? "fault.is_on" : "fault.is_off", { target, name }) }));
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={table.wrap}>{t(`fault.means_${fault}`)}</td>
      <td>
        <span className={styles.pair}>
          {[true, false].map((on) => (
            <Button
              key={String(on)}
              size="row"
              look={on ? "plain" : "quiet"}
              data-testid={`${on ? "begin" : "end"}-${fault}`}
              aria-label={t(on ? "fault.begin_name" : "fault.end_name", { name, target })}
              disabled={refusal !== null || inject.pending}
              onClick={() => turn(on)}
            >
              {t(on ? "fault.begin" : "fault.end")}
            </Button>
          ))}
        </span>
        <Refusal error={inject.error} />
      </td>
    </tr>
  );
}
