import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import type { HostError } from "../../host/host";
import { DiffTable } from "./DiffTable";
import { DraftScene } from "./DraftScene";
import styles from "../../design/fields/forms.module.css";
import { hasPlace, kindOf } from "./limit-kinds";
import { LimitFields } from "./LimitFields";
import { UndoEdit } from "./UndoEdit";
import type { LimitDraft } from "./useLimitDraft";

type ChangedLimitProps = { robot: RobotRow; base: ConstraintRow; form: LimitDraft; error: HostError | null };

/** The draft of a limit in force: its fields, what they change, and where that is. */
export function ChangedLimit({ robot, base, form, error }: ChangedLimitProps) {
  const limit = form.reading.limit;
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <LimitFields form={form} error={error} />
        <UndoEdit form={form} />
        {limit && <DiffTable old_limit={base.constraint} new_limit={limit} />}
      </div>
      {hasPlace(kindOf(base.constraint)) && (
        <DraftScene
          robot={robot}
          limit={limit}
          frame={base.frame}
          edits={{ kind: kindOf(base.constraint), onLimit: form.setLimit }}
        />
      )}
    </div>
  );
}
