import type { KeyboardEvent } from "react";
import { Link } from "wouter";
import type { CauseRow } from "../../generated/bindings/CauseRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { ArmButton } from "../../domain/robot/ArmButton";
import { useArmingRefusal } from "../../domain/robot/useArmingRefusal";
import { hardestFirst } from "../../domain/robot/causes";
import { Refusal } from "../../design/components/Refusal";
import { RobotName } from "../../domain/robot/RobotName";
import table from "../../design/components/table.module.css";
import { ControlChip } from "../../domain/control/ControlChip";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useLive } from "../../domain/station/useLive";
import { type OperationCall, useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { findShortcut, hintOf } from "../../design/shortcuts/shortcuts";
import { Battery } from "./Battery";
import { LinkCell } from "./LinkCell";
import type { Trouble } from "./overview-state";
import { Position } from "./Position";
import { Reading } from "./Reading";
import styles from "./RobotTile.module.css";
import { WhyIdle } from "./WhyIdle";

/** One robot: state, link and its live values, each with its age. */
export function RobotTile({ robot, trouble, gone }: { robot: RobotRow; trouble: Trouble | null; gone: boolean }) {
  const state = useLive((store) => store.safety.get(robot.id)?.state ?? robot.state);
  const unreachable = useLive((store) => store.time.lost || (store.links.get(robot.id)?.link ?? robot.link) === "lost");
  const commands = useCommandRefusal();
  const refusal = useArmingRefusal(robot, state);
  const causes = useLive((store) => store.safety.get(robot.id)?.causes ?? NO_CAUSES);
  const take = useOperation("take_control");
  const moves = robot.actuators.some(({ kind }) => kind === "tool" || kind === "base");
  const onKeyDown = (event: KeyboardEvent) => {
    if (commands !== null || findShortcut(event, "tile") !== "take_control") return;
    event.preventDefault();
    take.run({ robot: robot.id });
  };
  return (
    <tr
      data-testid={`robot-tile-${robot.id}`}
      data-trouble={trouble ?? "none"}
      data-lost={unreachable}
      inert={gone}
      className={styles.tile}
      onKeyDown={onKeyDown}
    >
      <th scope="row">
        <Link href={`/world/${robot.id}`} className={styles.name}>
          <RobotName id={robot.id} simulated={robot.simulated} />
        </Link>
      </th>
      <td data-state={state} className={styles.state}>
        <Link href={`/safety/${robot.id}`} className={styles.name}>
          {robot.errors.length > 0 ? t("robot.invalid") : t(`robot_state.${state}`)}
        </Link>
        <WhyIdle robot={robot} otherwise={<Why causes={causes} refusal={refusal} />} />
      </td>
      <ControlCell robot={robot} call={take} />
      <td>
        <LinkCell robot={robot} />
      </td>
      <td className={table.number}>
        <Battery robot={robot.id} />
      </td>
      <td className={table.number}>
        {moves ? (
          <Reading
            signal={`robot/${robot.id}/speed`}
            robot={robot.id}
            format={(value) => `${formatNumber(value, 2)} m/s`}
          />
        ) : (
          NO_NUMBER
        )}
      </td>
      <td className={`${table.number} ${styles.position}`}>{moves ? <Position robot={robot.id} /> : NO_NUMBER}</td>
      <td className={styles.action}>
        <ArmButton robot={robot} state={state} refusal={refusal} />
      </td>
    </tr>
  );
}

/** Who has control, and why taking it by key was refused. */
function ControlCell({ robot, call }: { robot: RobotRow; call: OperationCall<"take_control"> }) {
  return (
    <td className={styles.control} title={t("control.tile_hint", { key: hintOf("take_control") })}>
      <ControlChip robot={robot} />
      <Refusal error={call.error} />
    </td>
  );
}

const NO_CAUSES: readonly CauseRow[] = [];

/** Until the station has said more: the cause that takes most to end, else why the robot cannot be armed. */
function Why({ causes, refusal }: { causes: readonly CauseRow[]; refusal: string | null }) {
  const [first] = hardestFirst(causes);
  if (!first) return refusal === null ? null : <small className={styles.refusal}>{refusal}</small>;
  const more = causes.length - 1;
  return (
    <small className={styles.refusal} data-testid="worst-cause">
      <strong>{t(`cause.${first.cause}`)}</strong>
      {more > 0 && ` ${t("robot.more_causes", { count: more })}`} · {t(`clears_short.${first.clears}`)}
    </small>
  );
}
