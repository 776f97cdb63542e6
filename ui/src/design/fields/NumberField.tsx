import { type KeyboardEvent, useId } from "react";
import { t } from "../../locales/i18n";
import { fieldText, parseDecimal, stepped } from "./decimal";
import styles from "./fields.module.css";

/** Label and unit of a number; `step` is the change of one key press. */
export type NumberSpec = { label: string; unit: string; step: number };

type NumberFieldProps = { field: NumberSpec; text: string; problem: string | null; onText: (text: string) => void };

/**
 * One number with its printed unit. A text field with steppers, because a number field of the browser takes either
 * the comma or the point, and hands out nothing for the other.
 */
export function NumberField({ field, text, problem, onText }: NumberFieldProps) {
  const id = useId();
  const step = (by: number) => {
    const decimal = parseDecimal(text);
    // A text that may be two numbers stays as it was written: a step from 0 would make a third one of it.
    if ("problem" in decimal && decimal.problem !== "empty") return;
    onText(fieldText(stepped("value" in decimal ? decimal.value : 0, by)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? field.step : -field.step);
  };
  const about = [`${id}-unit`, problem === null ? "" : `${id}-problem`].join(" ").trim();

  return (
    <div className={styles.field}>
      <label htmlFor={id}>{field.label}</label>
      <div className={styles.stepped}>
        <button
          type="button"
          // Arrow keys in the field do the same: two more stops for each number would be in the way.
          tabIndex={-1}
          className={styles.step}
          aria-label={t("limit_form.less", { label: field.label })}
          onClick={() => step(-field.step)}
        >
          −
        </button>
        <input
          id={id}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          className={styles.number}
          value={text}
          aria-invalid={problem !== null}
          aria-describedby={about}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          tabIndex={-1}
          className={styles.step}
          aria-label={t("limit_form.more", { label: field.label })}
          onClick={() => step(field.step)}
        >
          +
        </button>
        <span id={`${id}-unit`} className={styles.unit}>
          {field.unit}
        </span>
      </div>
      {problem !== null && (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
