import type { ReactNode } from "react";
import { t } from "../../locales/i18n";
import { useHold } from "../shortcuts/useHold";
import { BareButton } from "./BareButton";
import { HoldFace } from "../hold/HoldFace";
import styles from "../hold/Hold.module.css";

type HoldButtonProps = {
  label: ReactNode;
  /** Version of the object that the button acts on; a change starts the 600 ms guard again. */
  version: string;
  needsHold: boolean;
  disabled: boolean;
  pending: boolean;
  /** The station's answer to the last act, if it was a refusal. */
  refused?: string | null;
  onAct: () => void;
  testId: string;
};

/** A button for what must not happen by accident. It keeps its place and size in every state. */
export function HoldButton(props: HoldButtonProps) {
  const { label, version, needsHold, disabled, pending, refused = null, onAct, testId } = props;
  const hold = useHold({ version, needsHold, disabled: disabled || pending, onAct });
  return (
    <BareButton
      data-testid={testId}
      data-phase={hold.phase}
      className={styles.button}
      disabled={disabled || pending || hold.guarded}
      aria-keyshortcuts="Space"
      {...hold.handlers}
    >
      <HoldFace
        phase={pending ? "sending" : hold.phase}
        label={label}
        hint={refused !== null && hold.phase === "idle" && !pending ? refused : hintOf(hold.phase, pending, needsHold)}
      />
    </BareButton>
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
