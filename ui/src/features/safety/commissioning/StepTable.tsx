import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import type { CommissioningState } from "../../../generated/bindings/CommissioningState";
import type { CommissioningStep } from "../../../generated/bindings/CommissioningStep";
import type { JointRow } from "../../../generated/bindings/JointRow";
import type { StepResult } from "../../../generated/bindings/StepResult";
import table from "../../../design/components/table.module.css";
import { useCommandRefusal } from "../../../domain/station/useCommandRefusal";
import { t } from "../../../locales/i18n";
import { figure, inRow } from "./figure";
import { HardwareStop } from "./HardwareStop";
import { RoundResults } from "./RoundResults";
import { SpeedChart } from "./SpeedChart";
import { StepButton } from "./StepButton";

type StepTableProps = {
  robot: string;
  state: CommissioningState;
  /** The robot's joints. */
  joints: readonly JointRow[];
  underWay: boolean;
  onRow: (row: CommissioningRow) => void;
};

/** Every step: what it does, its button, and what was measured. */
export function StepTable({ robot, state, joints, underWay, onRow }: StepTableProps) {
  const refusal = useCommandRefusal() ?? (underWay ? null : t("commissioning.begin_first"));
  return (
    <div className={table.scroll} role="group" aria-label={t("commissioning.steps")} tabIndex={0}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t("commissioning.step")}</th>
            <th scope="col">{t("commissioning.carry_out")}</th>
            <th scope="col">{t("commissioning.result")}</th>
            <th scope="col">{t("commissioning.speeds")}</th>
          </tr>
        </thead>
        <tbody>
          {state.needed.map((step) => (
            <Step key={step} robot={robot} step={step} state={state} joints={joints} refusal={refusal} onRow={onRow} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type StepProps = {
  robot: string;
  step: CommissioningStep;
  state: CommissioningState;
  joints: readonly JointRow[];
  refusal: string | null;
  onRow: (row: CommissioningRow) => void;
};

function Step({ robot, step, state, joints, refusal, onRow }: StepProps) {
  const result = state.results.find((known) => known.step === step);
  const running = state.running?.step === step ? state.running : null;
  const name = t(`commissioning_step.${step}`);
  const shown = running ?? result;
  const speeds = shown?.speeds ?? [];
  return (
    <tr data-testid={`step-${step}`} data-outcome={result?.outcome ?? "none"}>
      <th scope="row" className={table.wrap}>
        <strong>{name}</strong>
        <br />
        <small>{t(`commissioning_does.${step}`)}</small>
      </th>
      <td className={table.wrap}>
        {state.not_possible.includes(step) ? (
          t("commissioning.not_possible")
        ) : step === "hardware_stop" ? (
          <HardwareStop robot={robot} running={running !== null} refusal={refusal} onRow={onRow} />
        ) : (
          <StepButton robot={robot} step={step} refusal={refusal} onRow={onRow} />
        )}
      </td>
      <td className={table.wrap}>
        <span role="status">
          {running === null ? resultWords(result, state.broken_off === step) : t(`step_phase.${running.phase}`)}
        </span>
        <RoundResults joints={shown?.joints ?? []} means={shown?.means ?? []} rows={joints} />
      </td>
      <td>
        <SpeedChart speeds={speeds} name={t("commissioning.chart", { step: name })} />
      </td>
    </tr>
  );
}

/** The result of a step with its figures beside those that its manifest allows. */
function resultWords(result: StepResult | undefined, brokenOff: boolean): string {
  if (brokenOff) return t("commissioning.broken_off");
  if (result === undefined) return t("commissioning.not_done");
  const words = inRow(t(`step_outcome.${result.outcome}`), [
    figure(result.time_ms, result.time_ms_max, 0, "ms"),
    figure(result.distance_m, result.distance_m_max, 3, "m"),
  ]);
  return t("commissioning.by", { result: words, person: result.person });
}
