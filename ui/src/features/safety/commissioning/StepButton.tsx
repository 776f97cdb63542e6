import { type KeyboardEvent, useEffect } from "react";
import type { CommissioningRow } from "../../../generated/bindings/CommissioningRow";
import type { CommissioningStep } from "../../../generated/bindings/CommissioningStep";
import { t } from "../../../locales/i18n";
import styles from "./StepButton.module.css";
import { useHeldStep } from "./useHeldStep";

type StepButtonProps = {
  robot: string;
  step: CommissioningStep;
  /** The reason why the step cannot be carried out now. */
  refusal: string | null;
  onRow: (row: CommissioningRow) => void;
};

/** The button of a step that moves the robot while it is held: pointer or Space. */
export function StepButton({ robot, step, refusal, onRow }: StepButtonProps) {
  const { held, told, hold, letGo } = useHeldStep(robot, step, onRow);
  const closed = refusal !== null;

  // Synchronises with what the station allows: a button that is closed while it is held hears of no key-up.
  useEffect(() => {
    if (closed) letGo();
  }, [closed, letGo]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== " ") return;
    event.preventDefault();
    if (!event.repeat && !closed) hold();
  };
  return (
    <div className={styles.hand}>
      <button
        type="button"
        className={styles.button}
        data-testid={`hold-${step}`}
        aria-pressed={held}
        aria-keyshortcuts="Space"
        aria-label={t("commissioning.hold_name", { step: t(`commissioning_step.${step}`) })}
        disabled={closed}
        title={refusal ?? undefined}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => {
          if (event.key === " ") letGo();
        }}
        onPointerDown={(event) => {
          // Browsers tell a disabled button of pointers all the same.
          if (event.button !== 0 || closed) return;
          // Some browsers do not focus a pressed button, and without the focus there is no blur that lets go.
          event.currentTarget.focus();
          hold();
        }}
        onPointerUp={letGo}
        onPointerLeave={letGo}
        onPointerCancel={letGo}
        onBlur={letGo}
        onContextMenu={(event) => event.preventDefault()}
      >
        {held ? t("commissioning.holding") : t("commissioning.hold")}
      </button>
      <p className={styles.told} role="status" data-testid={`told-${step}`}>
        {told}
      </p>
    </div>
  );
}
