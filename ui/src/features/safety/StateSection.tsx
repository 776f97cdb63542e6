import { useRef } from "react";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { ArmButton } from "../../domain/robot/ArmButton";
import { useArmingRefusal } from "../../domain/robot/useArmingRefusal";
import { Panel } from "../../design/layout/Panel";
import { useLive } from "../../domain/station/useLive";
import { behaviourOf } from "../../domain/stop/stop-behaviour";
import { t } from "../../locales/i18n";
import { CauseTable } from "./CauseTable";
import { EscapeArming } from "./EscapeArming";
import { HoldRobot } from "./HoldRobot";
import { Recommission } from "./Recommission";
import styles from "./StateSection.module.css";
import { useSafetyState } from "./useSafetyState";

/** The robot's state, every cause with what ends it and the act that does, and what stops it (U-707, U-1609). */
export function StateSection({ robot }: { robot: RobotRow }) {
  const { state, causes, problem, stationOnly, unreachable } = useSafetyState(robot);
  const refusal = useArmingRefusal(robot, state);
  const escapes = useLive((store) => store.safety.get(robot.id)?.escape_only === true);
  const escape_possible = useLive((store) => store.safety.get(robot.id)?.escape_possible === true);
  const word = useRef<HTMLParagraphElement>(null);
  // A row that was dealt with goes away, and the focus must not go with it.
  const backToState = () => word.current?.focus();
  return (
    <Panel
      title={t("safety.state_of", { robot: robot.id })}
      aside={
        <>
          <HoldRobot robot={robot.id} />
          <ArmButton robot={robot} state={state} refusal={refusal} />
        </>
      }
    >
      <p ref={word} tabIndex={-1} className={styles.state} data-testid="safety-state" data-state={state} role="status">
        <strong className={styles.word} data-lost={unreachable}>
          {t(`robot_state.${state}`)}
        </strong>{" "}
        <span>{t(`robot_state_means.${state}`)}</span>
      </p>
      {/* With causes their table says the same, and more. */}
      {causes.length === 0 && problem !== null && (
        <p className={styles.line}>
          {t("safety.not_armable", { problem: problem.text })}{" "}
          {problem.more !== null && <span lang="en">{problem.more}</span>}
        </p>
      )}
      {escapes && <p className={styles.line}>{t("escape.only")}</p>}
      {state === "disarmed" && escape_possible && <EscapeArming robot={robot.id} onGone={backToState} />}
      {stationOnly && <p className={styles.line}>{t("safety.station_only")}</p>}
      {causes.length > 0 && <CauseTable robot={robot.id} causes={causes} onGone={backToState} />}
      {state === "lockout" && <Recommission robot={robot.id} causes={causes} onGone={backToState} />}
      <StopFacts robot={robot} />
    </Panel>
  );
}

function StopFacts({ robot }: { robot: RobotRow }) {
  const { words, category } = behaviourOf(robot.stop_behaviour);
  return (
    <dl className={styles.facts}>
      <div className={styles.fact}>
        <dt>{t("safety.stop_behaviour")}</dt>
        <dd>
          {words} <span className={styles.whole}>({category})</span>
        </dd>
      </div>
      <div className={styles.fact}>
        <dt>{t("safety.hardware_estop")}</dt>
        <dd>{robot.hardware_estop}</dd>
      </div>
    </dl>
  );
}
