import { Link } from "wouter";
import type { RobotRow } from "../../bindings/RobotRow";
import { RobotName } from "../../shared/components/RobotName";
import table from "../../shared/components/table.module.css";
import { formatNumber } from "../../shared/format/numbers";
import { useLive } from "../../shared/hooks/useLive";
import { t } from "../../shared/i18n";
import { ArmButton } from "./ArmButton";
import { Battery } from "./Battery";
import { LinkCell } from "./LinkCell";
import type { Trouble } from "./overview-state";
import { Position } from "./Position";
import { Reading } from "./Reading";
import styles from "./RobotTile.module.css";
import { useArmingRefusal } from "./useArmingRefusal";

/** One robot: state, link and its live values, each with its age. */
export function RobotTile({ robot, trouble }: { robot: RobotRow; trouble: Trouble | null }) {
  const state = useLive((store) => store.safety.get(robot.id)?.state ?? robot.state);
  const unreachable = useLive((store) => store.time.lost || (store.links.get(robot.id)?.link ?? robot.link) === "lost");
  const refusal = useArmingRefusal(robot, state);
  const cause = useLive((store) => store.safety.get(robot.id)?.causes[0]?.sentence ?? null);
  const moves = robot.actuators.some(({ kind }) => kind === "tool" || kind === "base");
  return (
    <tr data-testid={`robot-tile-${robot.id}`} data-trouble={trouble ?? "none"} data-lost={unreachable} className={styles.tile}>
      <th scope="row">
        <Link href={`/world/${robot.id}`} className={styles.name}>
          <RobotName id={robot.id} simulated={robot.simulated} />
        </Link>
      </th>
      <td data-state={state} className={styles.state}>
        {robot.errors.length > 0 ? t("robot.invalid") : t(`robot_state.${state}`)}
        {cause !== null && cause !== refusal && <small className={styles.refusal}>{cause}</small>}
        {refusal !== null && <small className={styles.refusal}>{refusal}</small>}
      </td>
      <td>
        <LinkCell robot={robot} />
      </td>
      <td className={table.number}>
        <Battery robot={robot.id} />
      </td>
      <td className={table.number}>
        {moves && <Reading signal={`robot/${robot.id}/speed`} robot={robot.id} format={(value) => `${formatNumber(value, 2)} m/s`} />}
      </td>
      <td className={table.number}>{moves && <Position robot={robot.id} />}</td>
      <td className={styles.action}>
        <ArmButton robot={robot} armed={state === "armed" || state === "arming" || state === "hold"} refusal={refusal} />
      </td>
    </tr>
  );
}
