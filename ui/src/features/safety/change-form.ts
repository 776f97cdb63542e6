// Common input of the forms that change a limit in force.

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
