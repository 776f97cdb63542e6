import { Switch } from "react-aria-components";
import styles from "./SwitchField.module.css";

type SwitchFieldProps = {
  label: string;
  on: boolean;
  disabled?: boolean;
  testId?: string;
  onChange: (on: boolean) => void;
};

/** Something that is on or off and takes effect at once. What waits for a button is a box to tick. */
export function SwitchField({ label, on, disabled = false, testId, onChange }: SwitchFieldProps) {
  return (
    <Switch
      isSelected={on}
      isDisabled={disabled}
      className={styles.field ?? ""}
      {...(testId === undefined ? {} : { "data-testid": testId })}
      onChange={onChange}
    >
      <span className={styles.track} aria-hidden="true" />
      {label}
    </Switch>
  );
}
