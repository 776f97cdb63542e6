import type { AlarmRow } from "../../generated/bindings/AlarmRow";
import type { AlertValue } from "../../generated/bindings/AlertValue";
import { Aged } from "../../design/components/Aged";
import { ageMs } from "../../design/format/freshness";
import { scalarText } from "../../design/format/scalar";
import { shownAge } from "../../design/format/shown-age";
import { useReading } from "../../domain/robot/useReading";
import { useLive } from "../../domain/station/useLive";
import styles from "./AlarmValue.module.css";

type AlarmValueProps = { agent: AlarmRow["agent"]; value: AlertValue; asked_ms: number; stale: boolean };

/** Current value of a key of the rule: pushed if the station pushes it, else the one from the list (U-102). */
export function AlarmValue({ agent, value, asked_ms, stale }: AlarmValueProps) {
  const { signal, state, age } = useReading(`world/${agent ?? ""}/${value.key}`);
  const pushed = signal && typeof signal.value !== "object" ? signal.value : value.value;
  // The age in a row is that at the answer. It goes on counting, and the time of day a value was seen stands.
  const age_ms = useLive(({ time: { now_ms, local_ms } }) => {
    if (signal && now_ms !== null) return inSeconds(ageMs(signal.observed_mono_ms, now_ms));
    return inSeconds(value.age_ms + ageMs(asked_ms, local_ms));
  });
  const silent = useLive(({ time }) => time.lost);
  return (
    <span className={styles.value}>
      <code className={styles.key}>{value.key}</code>{" "}
      <Aged
        state={signal ? state : stale || silent ? "stale" : "live"}
        age={signal ? age : shownAge("stale", age_ms, null)}
        age_ms={age_ms}
        showAge
      >
        {scalarText(pushed, signal?.unit ?? null)}
      </Aged>
    </span>
  );
}

function inSeconds(age_ms: number): number {
  return Math.floor(age_ms / 1_000) * 1_000;
}
