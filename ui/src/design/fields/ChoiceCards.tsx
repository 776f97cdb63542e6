import { useId } from "react";
import styles from "./ChoiceCards.module.css";

type Choice<Value extends string> = { value: Value; title: string; detail: string };

type ChoiceCardsProps<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  disabled?: boolean;
  onChange: (value: Value) => void;
};

/** One of a few things that each need a sentence: a card with a radio button. */
export function ChoiceCards<Value extends string>({
  label,
  value,
  choices,
  disabled = false,
  onChange,
}: ChoiceCardsProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.cards} disabled={disabled}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map((choice) => (
        <div key={choice.value} className={styles.card} data-chosen={choice.value === value}>
          <input
            id={`${name}-${choice.value}`}
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            aria-describedby={`${name}-${choice.value}-detail`}
            onChange={() => onChange(choice.value)}
          />
          <div>
            <label htmlFor={`${name}-${choice.value}`} className={styles.title}>
              {choice.title}
            </label>
            <p id={`${name}-${choice.value}-detail`} className={styles.detail}>
              {choice.detail}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
