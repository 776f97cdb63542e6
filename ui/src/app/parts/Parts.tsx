import { AgedParts, MeaningParts, RowParts } from "./FactParts";
import { ActParts, FieldParts, HoldParts, StateParts } from "./ActParts";
import styles from "./Parts.module.css";

/** Every part of the window in every state: what a developer looks at first, and what a test keeps as it is. */
export function Parts() {
  return (
    <div className={styles.page} data-testid="parts">
      <div className={styles.column}>
        <MeaningParts />
        <AgedParts />
        <RowParts />
      </div>
      <div className={styles.column}>
        <ActParts />
        <HoldParts />
        <FieldParts />
        <StateParts />
      </div>
    </div>
  );
}
