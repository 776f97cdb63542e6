import { type ReactNode, useState } from "react";
import type { ActuatorRow } from "../../../generated/bindings/ActuatorRow";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { Segments } from "../../../design/components/Segments";
import { Panel } from "../../../design/layout/Panel";
import { fieldText, parseDecimal } from "../../../design/fields/decimal";
import { NumberField, type NumberSpec } from "../../../design/fields/NumberField";
import { formatQuantity } from "../../../design/format/numbers";
import { useCommandRefusal } from "../../../domain/station/useCommandRefusal";
import { useLive } from "../../../domain/station/useLive";
import { t } from "../../../locales/i18n";
import { directionsOf } from "./directions";
import { JogPad } from "./JogPad";
import styles from "./JogPanel.module.css";
import { JogSteps } from "./JogSteps";

/** A creep: fast enough to be seen, slow enough to be let go in time. */
const SPEED_MPS_FIRST = 0.05;
const SPEED_STEP_MPS = 0.05;
const TURN_RADPS_FIRST = 0.2;
const TURN_STEP_RADPS = 0.1;

/** Driving by hand, only while this desk has control (U-706); `map` is what lies around the robot. */
export function JogPanel({ robot, map }: { robot: RobotRow; map?: ReactNode | undefined }) {
  const actuators = robot.actuators.filter(
    ({ kind, motions }) => motions.includes("velocity") && directionsOf(kind).length > 0,
  );
  const [chosen, setChosen] = useState(actuators[0]?.id ?? "");
  const [speed, setSpeed] = useState(fieldText(SPEED_MPS_FIRST));
  const [turn, setTurn] = useState(fieldText(TURN_RADPS_FIRST));
  const rtt_ms = useLive((store) => store.links.get(robot.id)?.rtt_ms ?? null);
  const refusal = useCommandRefusal();
  const actuator = actuators.find(({ id }) => id === chosen);
  if (!actuator) return null;
  const turns = actuator.kind === "base";
  const mps = positive(speed);
  const turn_radps = turns ? positive(turn) : 0;

  return (
    <Panel
      title={t("jog.title", { robot: robot.id })}
      aside={t("jog.round_trip", { rtt: formatQuantity(rtt_ms, 0, "ms") })}
    >
      <div className={styles.jog} data-testid="jog">
        <div className={styles.words}>
          <p>
            <strong>{t("jog.not_enabling")}</strong>
          </p>
          <p className={styles.how}>{t("jog.how")}</p>
          {actuators.length > 1 && (
            <Segments
              label={t("jog.actuator")}
              value={chosen}
              options={actuators.map(({ id }) => ({ value: id, text: id }))}
              onChange={setChosen}
            />
          )}
          <div className={styles.speeds}>
            <Speed
              field={{ label: t("jog.speed"), unit: "m/s", step: SPEED_STEP_MPS }}
              text={speed}
              value={mps}
              onText={setSpeed}
            />
            {turns && (
              <Speed
                field={{ label: t("jog.turn_speed"), unit: "rad/s", step: TURN_STEP_RADPS }}
                text={turn}
                value={turn_radps}
                onText={setTurn}
              />
            )}
          </div>
          {refusal}
        </div>
        <Hands
          // Another part begins with a pad of its own: the hand lets go of the one before.
          key={actuator.id}
          robot={robot}
          actuator={actuator}
          mps={mps}
          turn_radps={turn_radps}
          refusal={refusal}
        />
        {map !== undefined && <div className={styles.map}>{map}</div>}
      </div>
    </Panel>
  );
}

type HandsProps = {
  robot: RobotRow;
  actuator: ActuatorRow;
  mps: number | null;
  turn_radps: number | null;
  refusal: string | null;
};

/** The pad that drives while it is held, and steps for an actuator that takes goals. */
function Hands({ robot, actuator, mps, turn_radps, refusal }: HandsProps) {
  const speed = mps === null || turn_radps === null ? null : { mps, turn_radps };
  return (
    <div className={styles.hands}>
      <JogPad robot={robot} actuator={actuator} speed={speed} refusal={refusal} />
      {actuator.motions.includes("pose_goal") && (
        <JogSteps robot={robot} actuator={actuator} speed_mps={mps} refusal={refusal} />
      )}
    </div>
  );
}

type SpeedProps = { field: NumberSpec; text: string; value: number | null; onText: (text: string) => void };

function Speed({ field, text, value, onText }: SpeedProps) {
  return (
    <NumberField
      field={field}
      text={text}
      problem={value === null ? t("field_problem.not_positive") : null}
      onText={onText}
    />
  );
}

/** A speed above zero; whether it is too fast, the station says. */
function positive(text: string): number | null {
  const decimal = parseDecimal(text);
  return "value" in decimal && decimal.value > 0 ? decimal.value : null;
}
