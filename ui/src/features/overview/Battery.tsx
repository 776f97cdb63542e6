import { Aged } from "../../design/components/Aged";
import { formatNumber, NO_NUMBER } from "../../design/format/numbers";
import { useReading } from "../../domain/robot/useReading";
import styles from "./Battery.module.css";

/** Charge as a number and a bar. Stations send a share (0 to 1) or a percentage; the unit tells which. */
export function Battery({ robot }: { robot: string }) {
  const { signal, state, age } = useReading(`robot/${robot}/battery`, robot);
  if (typeof signal?.value !== "number") return NO_NUMBER;
  const percent = signal.unit === "%" ? signal.value : signal.value * 100;
  return (
    <Aged state={state} age={age} origin={signal.origin}>
      <span className={styles.battery}>
        <meter className={styles.meter} min={0} max={100} value={percent} aria-hidden="true" />
        {formatNumber(percent, 0)} %
      </span>
    </Aged>
  );
}
