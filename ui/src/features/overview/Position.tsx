import { Aged } from "../../design/components/Aged";
import { formatPosition } from "../../design/format/numbers";
import { useReading } from "../../domain/robot/useReading";
import { t } from "../../locales/i18n";

/** Where a robot is, in which frame, and how old that is. */
export function Position({ robot }: { robot: string }) {
  const { signal, state, age } = useReading(`robot/${robot}/pose`, robot);
  const pose = signal?.value;
  if (typeof pose !== "object")
    return (
      <Aged state="never" age="">
        {null}
      </Aged>
    );
  return (
    <span title={t("robot.in_frame", { frame: pose.frame })}>
      <Aged state={state} age={age} origin={signal?.origin}>
        {formatPosition(pose.position_m)}
      </Aged>
    </span>
  );
}
