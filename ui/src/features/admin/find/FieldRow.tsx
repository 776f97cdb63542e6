import { useId } from "react";
import type { DraftProblem } from "../../../generated/bindings/DraftProblem";
import type { FindField } from "../../../generated/bindings/FindField";
import { Chip } from "../../../design/components/Chip";
import { CheckField } from "../../../design/fields/CheckField";
import { SelectField } from "../../../design/fields/SelectField";
import { TextField } from "../../../design/fields/TextField";
import { t } from "../../../locales/i18n";
import find from "./Find.module.css";
import { type FieldState, partsOf, toggled, withPart } from "./find-draft";

/** Fields whose value is one of several names that the scan has seen. */
const ONE_OF: ReadonlySet<FindField> = new Set([
  "command_topic",
  "velocity",
  "joints",
  "navigate",
  "trajectory",
  "map",
]);

type FieldRowProps = {
  state: FieldState;
  optional: boolean;
  problem: DraftProblem | undefined;
  onValue: (value: string) => void;
  onGuess: (is_guess: boolean) => void;
};

/** One field of a draft: its value, its source, and what is still to do about it. */
export function FieldRow({ state, optional, problem, onValue, onGuess }: FieldRowProps) {
  const { field, source, at, value, is_guess, was_guess } = state;
  const wasProposed = source !== null && value !== "";
  return (
    <div className={find.field} data-testid={`field-${field}`}>
      <Value
        state={state}
        optional={optional}
        problem={problem?.kind === "bad" ? problem.message : null}
        onValue={onValue}
      />
      <div className={find.about}>
        {problem?.kind === "missing" && <Chip kind="stale">{t("find_robot.missing")}</Chip>}
        {is_guess && <Chip kind="agent">{t("find_robot.guess")}</Chip>}
        <span>
          {wasProposed ? (
            <>
              {t(`field_source.${source}`)} <bdi>{at}</bdi>
            </>
          ) : (
            t(`find_field_hint.${field}`)
          )}
        </span>
        {field === "pose" && value.startsWith("odom ") && <span>{t("find_robot.drifts")}</span>}
      </div>
      {was_guess && (
        <CheckField
          label={t("find_robot.confirm")}
          checked={!is_guess}
          testId={`confirm-${field}`}
          onChange={(confirmed) => onGuess(!confirmed)}
        />
      )}
    </div>
  );
}

type ValueProps = {
  state: FieldState;
  optional: boolean;
  problem: string | null;
  onValue: (value: string) => void;
};

function Value({ state, optional, problem, onValue }: ValueProps) {
  const { field, value, choices } = state;
  const label = `${t(`find_field.${field}`)}${optional ? ` ${t("find_robot.optional")}` : ""}`;
  const options = optionsOf(state);
  if (options !== null) {
    return (
      <SelectField
        label={label}
        value={value}
        options={[{ value: "", text: t("find_robot.choose_one") }, ...options]}
        problem={problem}
        onChange={onValue}
      />
    );
  }
  if (field === "joint_limits" || field === "cameras") {
    return <Parts label={label} field={field} value={value} problem={problem} onValue={onValue} />;
  }
  return (
    <>
      <TextField label={label} value={value} problem={problem} testId={`value-${field}`} onChange={onValue} />
      {field === "stop_services" && <Choices label={label} choices={choices} value={value} onValue={onValue} />}
    </>
  );
}

/** The values of a field that has a few only; null for one that takes any. */
function optionsOf({ field, value, choices, is_offered }: FieldState): { value: string; text: string }[] | null {
  if (field === "stop_behaviour") {
    return (["hold", "controlled_then_off", "power_off"] as const).map((word) => ({
      value: word,
      text: t(`find_robot.${word}`),
    }));
  }
  if (field === "carries_load") {
    return (["yes", "no"] as const).map((word) => ({ value: word, text: t(`find_robot.${word}`) }));
  }
  // A list is offered only where it leaves a choice and holds what was written: else the value could not be seen.
  const isFew = choices.length < 2 && !is_offered;
  if (!ONE_OF.has(field) || isFew || (value !== "" && !choices.includes(value))) return null;
  return choices.map((choice) => ({ value: choice, text: choice }));
}

type PartsProps = {
  label: string;
  field: FindField;
  value: string;
  problem: string | null;
  onValue: (value: string) => void;
};

/** Several things of one field, a line for each. */
function Parts({ label, field, value, problem, onValue }: PartsProps) {
  const parts = partsOf(value);
  return parts.map((part, at) => (
    <TextField
      key={`${field} ${at}`}
      label={parts.length === 1 ? label : `${label} ${at + 1}`}
      value={part}
      problem={at === parts.length - 1 ? problem : null}
      testId={at === 0 ? `value-${field}` : `value-${field}-${at}`}
      onChange={(text) => onValue(withPart(value, at, text))}
    />
  ));
}

type ChoicesProps = { label: string; choices: readonly string[]; value: string; onValue: (value: string) => void };

/** Values that are offered and not chosen. */
function Choices({ label, choices, value, onValue }: ChoicesProps) {
  const id = useId();
  if (choices.length === 0) return null;
  const chosen = value.split(/\s+/u);
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} className="visually-hidden">
        {label}
      </span>
      {choices.map((choice) => (
        <CheckField
          key={choice}
          label={choice}
          checked={chosen.includes(choice)}
          testId={`choice-${choice}`}
          onChange={() => onValue(toggled(value, choice))}
        />
      ))}
    </div>
  );
}
