import type { MissionKey } from "../../../generated/bindings/MissionKey";
import { SelectField } from "../../../design/fields/SelectField";
import { t } from "../../../locales/i18n";
import type { MissionEdit } from "../graph/file-writes";
import { CommitField } from "./CommitField";
import { failureOf, valueOfFailure } from "./failure";
import { valueOfText } from "./form-entries";
import styles from "./MissionForm.module.css";

type FailureFieldProps = {
  of: MissionKey | undefined;
  missions: readonly string[];
  disabled: boolean;
  save: (...edits: MissionEdit[]) => void;
};

const KEY = "on_failure";

/** The answer to a goal that failed. */
export function FailureField({ of, missions, disabled, save }: FailureFieldProps) {
  const failure = failureOf(of?.value);
  const set = (value: unknown) => save({ set: { key: KEY, value } });
  if (failure === null) {
    return (
      <CommitField
        label={t("mission_form.on_failure")}
        isCode
        value={of?.text ?? ""}
        problem={of?.problem ?? null}
        disabled={disabled}
        testId="form-on_failure"
        onCommit={(text) => set(valueOfText(text))}
      />
    );
  }
  const first = missions[0];
  const options = [
    ...(["stop", "alert", "retry"] as const),
    ...(first === undefined && failure.kind !== "spawn" ? [] : (["spawn"] as const)),
  ].map((value) => ({ value, text: t(`mission_form.failure_${value}`) }));
  return (
    <div className={styles.section} data-testid="form-failure">
      <fieldset className={styles.plain} disabled={disabled}>
        <SelectField
          label={t("mission_form.on_failure")}
          value={failure.kind}
          problem={of?.problem ?? null}
          options={options}
          onChange={(kind) => set(valueOfFailure({ ...failure, kind, mission: failure.mission || (first ?? "") }))}
        />
        {failure.kind === "spawn" && (
          <SelectField
            label={t("mission_form.spawned")}
            value={failure.mission}
            problem={null}
            options={[...new Set([failure.mission, ...missions])].map((value) => ({ value, text: value }))}
            onChange={(mission) => set(valueOfFailure({ ...failure, mission }))}
          />
        )}
        {failure.kind === "retry" &&
          (["times", "delay_secs"] as const).map((name) => (
            <CommitField
              key={name}
              label={t(`mission_form.${name}`)}
              value={failure[name]}
              problem={null}
              disabled={disabled}
              testId={`form-${name}`}
              onCommit={(value) => set(valueOfFailure({ ...failure, [name]: value }))}
            />
          ))}
      </fieldset>
    </div>
  );
}
