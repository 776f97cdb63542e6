import type { BeliefState } from "../../generated/bindings/BeliefState";
import { t } from "../../locales/i18n";
import styles from "./BeliefStateMark.module.css";

/** Shapes of the states: a disc that empties, and a lozenge where something speaks against the belief. */
const SHAPES: Record<BeliefState, string> = {
  held: "M8 2A6 6 0 1 1 8 14A6 6 0 1 1 8 2Z",
  weak: "M8 2A6 6 0 0 0 8 14Z",
  faded: "",
  challenged: "M8 1L15 8L8 15L1 8ZM7.2 4V9H8.8V4ZM7.2 10.5V12H8.8V10.5Z",
};

/** A state as a shape, and as a word where there is room for one. */
export function BeliefStateMark({ state, word = false }: { state: BeliefState; word?: boolean }) {
  return (
    <span className={styles.state} data-state={state}>
      <svg viewBox="0 0 16 16" className={styles.icon} aria-hidden="true">
        {state !== "challenged" && <circle className={styles.ring} cx={8} cy={8} r={6} />}
        <path className={styles.fill} fillRule="evenodd" d={SHAPES[state]} />
      </svg>
      <span className={word ? "" : "visually-hidden"}>{t(`belief_state.${state}`)}</span>
    </span>
  );
}
