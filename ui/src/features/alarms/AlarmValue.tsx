import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AlertValue } from "../../generated/bindings/AlertValue";
import { Aged } from "../../design/components/Aged";
import { scalarText } from "../../design/format/scalar";
import { formatAge } from "../../design/format/time";
import { useReading } from "../../domain/robot/useReading";
import styles from "./AlarmValue.module.css";

/** Current value of a key of the rule: pushed if the station pushes it, else the one from the list (U-102). */
export function AlarmValue({ agent, value, stale }: { agent: AlarmRow["agent"]; value: AlertValue; stale: boolean }) {
  const { signal, state, age } = useReading(`world/${agent ?? ""}/${value.key}`);
  const pushed = signal && typeof signal.value !== "object" ? signal.value : value.value;
  return (
    <span className={styles.value}>
      <code className={styles.key}>{value.key}</code>{" "}
      <Aged
        state={signal ? state : stale ? "stale" : "live"}
        age={signal ? age : formatAge(value.age_ms)}
        age_ms={value.age_ms}
        showAge
      >
        {scalarText(pushed, signal?.unit ?? null)}
      </Aged>
    </span>
  );
}
