// Common input of the forms that change a limit in force.

import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";

/** `opened` is the row as it was when the form was opened, `rows` the set in force now. */
export type ChangeFormProps = {
  robot: RobotRow;
  opened: ConstraintRow;
  rows: readonly ConstraintRow[];
  onClose: () => void;
  onDone: (message: string) => void;
};

/** The same for a form with numbers: `moved` are those that it begins with, if they are not the ones in force. */
export type NumbersFormProps = ChangeFormProps & { moved: ConstraintKind | null };
