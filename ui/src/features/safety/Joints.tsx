import type { JointRow } from "../../generated/bindings/JointRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Aged } from "../../design/components/Aged";
import { Meter } from "../../design/components/Meter";
import table from "../../design/components/table.module.css";
import { formatNumber, formatQuantity } from "../../design/format/numbers";
import { Panel } from "../../design/layout/Panel";
import { useReading } from "../../domain/robot/useReading";
import { t } from "../../locales/i18n";
import styles from "./Joints.module.css";

/** Positions of a robot's joints as they are measured, between their limits; nothing of a robot without joints. */
export function Joints({ robot }: { robot: RobotRow }) {
  const joints = robot.actuators.flatMap((actuator) => actuator.joints ?? []);
  if (joints.length === 0) return null;
  return (
    <Panel title={t("joints.title", { robot: robot.id })}>
      <table className={`${table.table} ${styles.joints}`} data-testid="joints">
        <thead>
          <tr>
            <th scope="col">{t("joints.joint")}</th>
            <th scope="col" className={table.number}>
              {t("joints.position")}
            </th>
            <th scope="col">{t("joints.range")}</th>
          </tr>
        </thead>
        <tbody>
          {joints.map((joint) => (
            <Joint key={joint.name} robot={robot.id} joint={joint} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Joint({ robot, joint }: { robot: string; joint: JointRow }) {
  const { signal, state, age } = useReading(`robot/${robot}/joint/${joint.name}`, robot);
  const position = typeof signal?.value === "number" ? signal.value : null;
  const [low, high] = joint.position;
  const share = position === null ? null : (position - low) / (high - low);
  return (
    <tr>
      <th scope="row" className={table.key}>
        {joint.name}
      </th>
      <td className={table.number}>
        <Aged state={state} age={age}>
          {formatQuantity(position, 3, joint.unit)}
        </Aged>
      </td>
      <td>
        <span className={styles.range}>
          <span>{formatNumber(low, 2)}</span>
          <Meter used={share} label={t("joints.in_range", { joint: joint.name })} />
          <span>{formatNumber(high, 2)}</span>
        </span>
      </td>
    </tr>
  );
}
