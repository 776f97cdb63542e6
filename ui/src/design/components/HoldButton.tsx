import type { ReactNode } from "react";
import { t } from "../../locales/i18n";
import { useHold } from "../shortcuts/useHold";
import styles from "./HoldButton.module.css";

type HoldButtonProps = {
  label: ReactNode;
  /** Version of the object that the button acts on; a change starts the 600 ms guard again. */
  version: string;
  needsHold: boolean;
  disabled: boolean;
  pending: boolean;
  onAct: () => void;
  testId: string;
};

/** A button for what must not happen by accident. It keeps its place and size in every state. */
export function HoldButton({ label, version, needsHold, disabled, pending, onAct, testId }: HoldButtonProps) {
  const hold = useHold({ version, needsHold, disabled: disabled || pending, onAct });
  return (
    <button
      type="button"
      data-testid={testId}
      data-phase={hold.phase}
      className={styles.button}
      disabled={disabled || pending || hold.guarded}
      aria-keyshortcuts="Space"
      {...hold.handlers}
    >
      <span className={styles.fill} aria-hidden="true" />
      <span className={styles.label}>{label}</span>
      <span className={styles.hint}>{hintOf(hold.phase, pending, needsHold)}</span>
    </button>
  );
}

function hintOf(phase: "idle" | "holding" | "armed", pending: boolean, needsHold: boolean): string {
  if (pending) return t("hold.sending");
  switch (phase) {
    case "holding":
      return t("hold.keep_holding");
    case "armed":
      return t("hold.again");
    case "idle":
      return needsHold ? t("hold.hold") : t("hold.click");
  }
}
