import { type KeyboardEvent, useEffect } from "react";
import type { ActuatorRow } from "../../../generated/bindings/ActuatorRow";
import type { RobotRow } from "../../../generated/bindings/RobotRow";
import { t } from "../../../locales/i18n";
import { findShortcut, useHints } from "../../../design/shortcuts/keys-in-force";
import { type Direction, directionsOf, keyOf, velocityOf } from "./directions";
import styles from "./JogPad.module.css";
import { useJog } from "./useJog";

type JogPadProps = {
  robot: RobotRow;
  actuator: ActuatorRow;
  /** Speed of a held direction; null while the fields hold none. */
  speed: { mps: number; turn_radps: number } | null;
  refusal: string | null;
};

/** Directions to hold. Pointer-up, key-up and every loss of focus say zero (U-706). */
export function JogPad({ robot, actuator, speed, refusal }: JogPadProps) {
  const { held, told, hold, letGo } = useJog(robot.id, actuator.id);
  const hints = useHints();
  const directions = directionsOf(actuator.kind);
  const closed = speed === null || refusal !== null;

  // Synchronises with what the station allows: a control that may no longer be used sends no key-up and no pointer-up.
  useEffect(() => {
    if (closed) letGo();
  }, [closed, letGo]);

  const drive = (direction: Direction) => {
    if (speed && refusal === null) hold(direction, velocityOf(direction, speed.mps, speed.turn_radps));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const direction = directionFor(event, directions);
    if (!direction) return;
    event.preventDefault();
    if (!event.repeat) drive(direction);
  };
  return (
    <div className={styles.drive}>
      <div
        role="group"
        className={styles.pad}
        data-testid={`jog-pad-${actuator.id}`}
        data-held={held ?? "none"}
        aria-label={t("jog.pad", { actuator: actuator.id, frame: robot.default_frame })}
        onKeyDown={onKeyDown}
        // Any key: what was held is no longer known by its name once Shift has changed it.
        onKeyUp={letGo}
        onBlur={letGo}
      >
        {directions.map((direction) => (
          <button
            key={direction}
            type="button"
            className={styles.direction}
            data-testid={`jog-${direction}`}
            data-direction={direction}
            aria-pressed={held === direction}
            aria-keyshortcuts={hints.aria(keyOf(direction))}
            disabled={closed}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              // The focus comes first: its move must not look like letting go of what is held next.
              event.currentTarget.focus();
              drive(direction);
            }}
            onPointerUp={letGo}
            onPointerLeave={letGo}
            onPointerCancel={letGo}
            onContextMenu={(event) => event.preventDefault()}
          >
            <strong>{t(`jog_direction.${direction}`)}</strong> <small>{hints.of(keyOf(direction))}</small>
          </button>
        ))}
      </div>
      <p className={styles.told} role="status" data-testid="jog-told">
        {told ?? (held ? t("jog.moving", { direction: t(`jog_direction.${held}`) }) : t("jog.idle"))}
      </p>
    </div>
  );
}

/** The direction of a key: an arrow anywhere on the pad, or Space on a direction itself. */
function directionFor(event: KeyboardEvent<HTMLElement>, directions: readonly Direction[]): Direction | undefined {
  if (event.key === " ") {
    const focused = event.target instanceof HTMLElement ? event.target.dataset["direction"] : undefined;
    return directions.find((direction) => direction === focused);
  }
  const shortcut = findShortcut(event, "jog");
  return directions.find((direction) => keyOf(direction) === shortcut);
}
