import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import styles from "./Segments.module.css";

type SegmentsProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly { value: Value; text: string }[];
  onChange: (value: Value) => void;
};

/** A few views of the same thing, all in sight, one of them chosen. Arrow keys move among them. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles.segments ?? ""}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = options.find((option) => keys.has(option.value));
        if (chosen && chosen.value !== value) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.value} id={option.value} className={styles.segment ?? ""}>
          {option.text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
