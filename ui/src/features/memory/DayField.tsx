import { useId } from "react";
import fields from "../../design/fields/fields.module.css";

type DayFieldProps = { label: string; value: string; testId: string; onChange: (day: string) => void };

/** A day of the calendar, as this desk writes it. */
export function DayField({ label, value, testId, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className={fields.text}
        data-testid={testId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
