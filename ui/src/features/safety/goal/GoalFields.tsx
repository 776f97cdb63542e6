import { NumberField } from "../../../design/fields/NumberField";
import { Segments } from "../../../design/components/Segments";
import { t } from "../../../locales/i18n";
import { AXES, type GoalDraft, placeOf, speedOf } from "./goal-draft";
import styles from "./GoalPage.module.css";

/** Changes of one press of a key. */
const STEP_M = 0.05;
const SPEED_STEP_MPS = 0.05;

type GoalFieldsProps = {
  draft: GoalDraft;
  parts: readonly string[];
  part: string;
  onPart: (part: string) => void;
  onDraft: (draft: GoalDraft) => void;
};

/** Coordinates, speed, and the part that is sent where there are several. */
export function GoalFields({ draft, parts, part, onPart, onDraft }: GoalFieldsProps) {
  return (
    <>
      {parts.length > 1 && (
        <Segments
          label={t("motion_fields.actuator")}
          value={part}
          options={parts.map((id) => ({ value: id, text: id }))}
          onChange={onPart}
        />
      )}
      <div className={styles.numbers}>
        {AXES.map((axis) => (
          <NumberField
            key={axis}
            field={{ label: t("goal.axis", { axis }), unit: "m", step: STEP_M }}
            text={draft[axis]}
            problem={placeOf({ x: "0", y: "0", z: "0", speed: "1", [axis]: draft[axis] }) ? null : t("goal.no_number")}
            onText={(text) => onDraft({ ...draft, [axis]: text })}
          />
        ))}
        <NumberField
          field={{ label: t("goal.speed"), unit: "m/s", step: SPEED_STEP_MPS }}
          text={draft.speed}
          problem={speedOf(draft) === null ? t("field_problem.not_positive") : null}
          onText={(speed) => onDraft({ ...draft, speed })}
        />
      </div>
    </>
  );
}
