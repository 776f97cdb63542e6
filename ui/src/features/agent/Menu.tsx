import styles from "./Menu.module.css";

/** A completion of a message. `put` is the message with it, and the place of the caret. */
export type Choice = { id: string; text: string; about: string; put: { text: string; caret: number } };

type MenuProps = {
  id: string;
  label: string;
  choices: readonly Choice[];
  active: number;
  onPick: (choice: Choice) => void;
};

/** Completions of the word at the caret. The keys are those of the field it belongs to. */
export function Menu({ id, label, choices, active, onPick }: MenuProps) {
  return (
    <div id={id} role="listbox" aria-label={label} className={styles.menu} data-testid="composer-menu">
      {choices.map((choice, place) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the field
        <div
          key={choice.id}
          id={`${id}-${place}`}
          // The focus stays in the field, so no browser brings the active option into sight by itself.
          ref={(element) => {
            if (place === active) element?.scrollIntoView({ block: "nearest" });
          }}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          className={styles.choice}
          // A press would take the focus from the field, whose blur puts the menu away before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(choice)}
        >
          <span className={styles.text}>{choice.text}</span>
          <span className={styles.about} title={choice.about}>
            {choice.about}
          </span>
        </div>
      ))}
    </div>
  );
}
