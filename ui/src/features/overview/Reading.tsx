import { Aged } from "../../design/components/Aged";
import { NO_NUMBER } from "../../design/format/numbers";
import { useReading } from "../../domain/robot/useReading";

type ReadingProps = { signal: string; robot: string; format: (value: number) => string };

/** A number a robot reports; a robot that never reports it has no such number. */
export function Reading({ signal, robot, format }: ReadingProps) {
  const reading = useReading(signal, robot);
  const value = reading.signal?.value;
  if (typeof value !== "number") return NO_NUMBER;
  return (
    <Aged state={reading.state} age={reading.age} origin={reading.signal?.origin}>
      {format(value)}
    </Aged>
  );
}
