import { Link } from "wouter";
import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import type { GateAccount } from "../../../generated/bindings/GateAccount";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Refusal } from "../../../design/components/Refusal";
import { Notice } from "../../../design/components/Notice";
import { Rows } from "../../../design/components/Rows";
import { Panel } from "../../../design/layout/Panel";
import { useRows } from "../../../domain/station/useRows";
import { t } from "../../../locales/i18n";
import { Begin } from "./Begin";
import styles from "./CommissioningPage.module.css";
import { GateFactsPanel } from "./GateFactsPanel";
import { KeepsMoving } from "./KeepsMoving";
import { StepTable } from "./StepTable";
import { useCommissioning } from "./useCommissioning";

/** One robot behind its gate: what the gate says of it, and the steps that show what it really does (RG-31). */
export function CommissioningPage({ robot: id }: { robot: string }) {
  const robots = useRows("robots", "list_robots", {});
  return (
    <Rows query={robots} what={t("overview.robots")}>
      {({ rows }) => {
        const robot = rows.find((row) => row.id === id);
        // A step that is held belongs to its robot: another page lets go of it.
        return robot ? <Desk key={id} robot={robot} /> : <Notice title={t("goal.gone", { robot: id })} />;
      }}
    </Rows>
  );
}

function Desk({ robot }: { robot: RobotRow }) {
  const { row, error, onRow } = useCommissioning(robot.id);
  return (
    <div className={styles.page} data-testid="commissioning-page">
      <header className={styles.head}>
        <h1 className={styles.title}>{t("commissioning.title", { robot: robot.id })}</h1>
        <Link href={`/safety/${robot.id}`}>{t("goal.back", { robot: robot.id })}</Link>
      </header>
      <Refusal error={error} />
      {row === null ? (
        error === null && <p role="status">{t("common.loading", { what: t("commissioning.steps") })}</p>
      ) : row.gate === null ? (
        <Notice title={t("commissioning.none", { robot: robot.id })} detail={t("commissioning.none_detail")} />
      ) : (
        <Known robot={robot} row={row} gate={row.gate} onRow={onRow} />
      )}
    </div>
  );
}

type KnownProps = {
  robot: RobotRow;
  row: CommissioningRow;
  gate: GateAccount;
  onRow: (row: CommissioningRow) => void;
};

function Known({ robot, row, gate, onRow }: KnownProps) {
  return (
    <>
      <Standing gate={gate} />
      <Panel title={t("commissioning.steps")}>
        <p className={styles.line}>{t("commissioning.how", { stop: robot.hardware_estop })}</p>
        <Begin robot={robot} row={row} />
        <StepTable
          robot={robot.id}
          state={gate.commissioning}
          joints={robot.actuators.flatMap(({ joints }) => joints ?? [])}
          underWay={row.under_way}
          onRow={onRow}
        />
        <KeepsMoving robot={robot.id} state={gate.commissioning} underWay={row.under_way} onRow={onRow} />
      </Panel>
      <GateFactsPanel robot={robot.id} gate={gate} manifest={row.manifest} />
    </>
  );
}

/** The step that is missing, and the parts that have changed. */
function Standing({ gate: { commissioning } }: { gate: GateAccount }) {
  const { missing, changed } = commissioning;
  return (
    <div
      className={styles.standing}
      role="status"
      data-testid="commissioning-standing"
      data-missing={missing ?? "none"}
    >
      <p>
        <strong>
          {missing === null
            ? t("commissioning.complete")
            : t("commissioning.missing", { step: t(`commissioning_step.${missing}`) })}
        </strong>
      </p>
      {changed.length > 0 && (
        <p>{t("commissioning.changed", { parts: changed.map((part) => t(`commissioned_part.${part}`)).join(", ") })}</p>
      )}
    </div>
  );
}
