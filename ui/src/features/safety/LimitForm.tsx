import type { ConstraintKind } from "../../generated/bindings/ConstraintKind";
import type { ConstraintRow } from "../../generated/bindings/ConstraintRow";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { directionOf, limitFrom } from "../../domain/scene/flat/limit-change";
import type { DrawnZone } from "../../domain/scene/flat/drawn-zone";
import { AddForm } from "./AddForm";
import { LoosenForm } from "./LoosenForm";
import { RemoveForm } from "./RemoveForm";
import type { Change } from "./SetTable";
import { TightenForm } from "./TightenForm";

/** The open form, and the limit it changes; `moved` is what it was made on a scene. */
export type OpenForm =
  | { change: "add"; drawn: DrawnZone | null }
  | { change: Change; row: ConstraintRow; moved: ConstraintKind | null };

/** The form for a limit that was moved on a scene; null where it is gone, or what the address says makes none. */
export function movedForm(rows: readonly ConstraintRow[], id: string | undefined, numbers: string): OpenForm | null {
  const row = rows.find((one) => one.id === id && one.scope === "robot");
  const moved = row && limitFrom(row.constraint, numbers);
  if (!row || !moved) return null;
  return { change: directionOf(row.constraint, moved) === "tighter" ? "tighten" : "loosen", row, moved };
}

type LimitFormProps = {
  form: OpenForm;
  robot: RobotRow;
  rows: readonly ConstraintRow[];
  onClose: () => void;
  onDone: (message: string) => void;
};

/** The one form that is open; another limit or another change begins a new one. */
export function LimitForm({ form, robot, ...rest }: LimitFormProps) {
  switch (form.change) {
    case "add":
      return <AddForm key="add" robot={robot} drawn={form.drawn} onClose={rest.onClose} onDone={rest.onDone} />;
    case "tighten":
      return (
        <TightenForm key={`tighten ${form.row.id}`} robot={robot} opened={form.row} moved={form.moved} {...rest} />
      );
    case "loosen":
      return <LoosenForm key={`loosen ${form.row.id}`} robot={robot} opened={form.row} moved={form.moved} {...rest} />;
    case "remove":
      return <RemoveForm key={`remove ${form.row.id}`} robot={robot} opened={form.row} {...rest} />;
  }
}
