import { fieldText, parseDecimal } from "../../../design/fields/decimal";
import { t } from "../../../locales/i18n";
import { CommitField } from "./CommitField";

type MotionNumberProps = {
  label: string;
  isLabelHidden?: boolean;
  value: number;
  /** Wrong with the number that the file has. */
  problem?: string | null;
  testId: string;
  disabled: boolean;
  onNumber: (value: number) => void;
};

/** A number that is saved by Enter or by leaving it; what is no number stays in the field, which says so. */
export function MotionNumber({ value, problem = null, onNumber, ...field }: MotionNumberProps) {
  return (
    <CommitField
      {...field}
      isCode
      value={fieldText(value)}
      problem={problem}
      refuse={(typed) => {
        const decimal = parseDecimal(typed);
        return "problem" in decimal ? t(`field_problem.${decimal.problem}`) : null;
      }}
      onCommit={(typed) => {
        const decimal = parseDecimal(typed);
        if ("value" in decimal) onNumber(decimal.value);
      }}
    />
  );
}

type MotionSpeedProps = {
  label: string;
  value: number | null;
  testId: string;
  disabled: boolean;
  onSpeed: (value: number | null) => void;
};

/** The speed of a motion, above zero; an empty field leaves it to the limits. */
export function MotionSpeed({ value, onSpeed, ...field }: MotionSpeedProps) {
  return (
    <CommitField
      {...field}
      isCode
      value={value === null ? "" : fieldText(value)}
      problem={null}
      refuse={(typed) => {
        const decimal = parseDecimal(typed);
        if ("value" in decimal) return decimal.value > 0 ? null : t("field_problem.not_positive");
        return decimal.problem === "empty" ? null : t(`field_problem.${decimal.problem}`);
      }}
      onCommit={(typed) => {
        const decimal = parseDecimal(typed);
        onSpeed("value" in decimal ? decimal.value : null);
      }}
    />
  );
}
