import type { RobotRow } from "../../bindings/RobotRow";
import { Panel } from "../../shared/components/Panel";
import { BEHAVIOUR } from "../../shared/format/stop-behaviour";
import { t } from "../../shared/i18n";
import styles from "./StateSection.module.css";
import { useSafetyState } from "./useSafetyState";

/** The robot's state, what clears it, and what stops it (U-1609). */
export function StateSection({ robot }: { robot: RobotRow }) {
  const { state, problem, clears } = useSafetyState(robot);
  const { words, category } = BEHAVIOUR[robot.stop_behaviour];
  return (
    <Panel title={t("safety.state_of", { robot: robot.id })}>
      <dl className={styles.facts}>
        <Fact term={t("robot.state")} text={t(`robot_state.${state}`)} />
        <Fact term={t("safety.problem")} text={problem ?? t("safety.no_problem")} />
        <Fact term={t("safety.clears")} text={clears} />
        <Fact term={t("safety.stop_behaviour")} text={`${words} (${category})`} />
        <Fact term={t("safety.hardware_estop")} text={robot.hardware_estop} />
      </dl>
    </Panel>
  );
}

function Fact({ term, text }: { term: string; text: string }) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{text}</dd>
    </div>
  );
}
