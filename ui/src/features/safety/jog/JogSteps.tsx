import { useState } from "react";
import type { ActuatorRow } from "../../../generated/bindings/ActuatorRow";
import type { CommandOutcome } from "../../../generated/bindings/CommandOutcome";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { requestId } from "../../../host/request-id";
import { Button } from "../../../design/components/Button";
import { Refusal } from "../../../design/components/Refusal";
import { fieldText, parseDecimal } from "../../../design/fields/decimal";
import forms from "../../../design/fields/forms.module.css";
import { NumberField } from "../../../design/fields/NumberField";
import { useOperation } from "../../../domain/station/useOperation";
import { useReading } from "../../../domain/robot/useReading";
import { isCurrent } from "../../../design/format/freshness";
import { t } from "../../../locales/i18n";
import { saidLine } from "../../../locales/station-words";
import { verdictSaid } from "../../../domain/verdict/item-words";
import { directionsOf, stepGoal } from "./directions";
import styles from "./JogSteps.module.css";

/** A hand's breadth. */
const DISTANCE_M_FIRST = 0.1;
const DISTANCE_STEP_M = 0.05;

type JogStepsProps = { robot: RobotRow; actuator: ActuatorRow; speed_mps: number | null; refusal: string | null };

/**
 * One step of a typed distance in a direction, from where the robot was last seen (U-706). Judged like every command.
 */
export function JogSteps({ robot, actuator, speed_mps, refusal }: JogStepsProps) {
  const [text, setText] = useState(fieldText(DISTANCE_M_FIRST));
  const [outcome, setOutcome] = useState<CommandOutcome | null>(null);
  const { signal, state } = useReading(`robot/${robot.id}/pose`, robot.id, "every");
  const command = useOperation("send_command");
  const decimal = parseDecimal(text);
  const distance_m = "value" in decimal && decimal.value > 0 ? decimal.value : null;
  const pose = typeof signal?.value === "object" ? signal.value : null;
  // A step from where the robot was a while ago would be a motion of another length.
  const seen = isCurrent(state) ? pose : null;
  const why = refusal ?? (seen === null ? t("jog.no_pose") : null);

  return (
    <div className={styles.steps} role="group" aria-label={t("jog.steps")} data-testid="jog-steps">
      <NumberField
        field={{ label: t("jog.distance"), unit: "m", step: DISTANCE_STEP_M }}
        text={text}
        problem={distance_m === null ? t("field_problem.not_positive") : null}
        onText={setText}
      />
      <div className={forms.act}>
        {directionsOf(actuator.kind).map((direction) => {
          const goal = seen && distance_m !== null ? stepGoal(direction, seen.position_m, distance_m) : null;
          // A heading is turned by holding: a distance says nothing about it.
          if (direction === "turn_plus" || direction === "turn_minus") return null;
          return (
            <Button
              key={direction}
              data-testid={`jog-step-${direction}`}
              aria-label={t("jog.step_name", { direction: t(`jog_direction.${direction}`) })}
              disabled={why !== null || goal === null || speed_mps === null || command.pending}
              title={why ?? undefined}
              onClick={() => {
                if (!seen || goal === null || speed_mps === null) return;
                setOutcome(null);
                const motion = { pose_goal: { position_m: goal, speed_mps } };
                command.run(
                  { id: requestId(), robot: robot.id, actuator: actuator.id, frame: seen.frame, motion },
                  setOutcome,
                );
              }}
            >
              {t(`jog_direction.${direction}`)}
            </Button>
          );
        })}
      </div>
      <p className={forms.hint} role="status" data-testid="jog-step-told">
        {toldOf(command.pending, outcome, why)}
      </p>
      <Refusal error={command.error} />
    </div>
  );
}

function toldOf(pending: boolean, outcome: CommandOutcome | null, why: string | null): string {
  if (pending) return t("jog.step_sending");
  if (outcome === null) return why ?? t("jog.step_idle");
  const step = t(`command_step.${outcome.state}`);
  const { sentence, verdict, explanation } = outcome;
  return outcome.state === "denied"
    ? `${step}: ${saidLine(verdictSaid(sentence, verdict, explanation))}`
    : t("jog.step_told", { step });
}
