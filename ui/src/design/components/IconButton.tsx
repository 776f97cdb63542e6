import type { LucideIcon } from "lucide-react";
import { Focusable, Tooltip, TooltipTrigger } from "react-aria-components";
import { Button } from "./Button";
import styles from "./IconButton.module.css";

type IconButtonProps = {
  /** Its accessible name, and the text that shows while the pointer or the focus rests on it. */
  label: string;
  Icon: LucideIcon;
  look?: "plain" | "quiet";
  /** Keys that do the same. */
  keys?: string | undefined;
  pressed?: boolean;
  disabled?: boolean;
  testId?: string;
  onClick: () => void;
};

/** A square button without words in it: only for tools whose icon everybody knows. */
export function IconButton({ label, Icon, look = "quiet", keys, pressed, disabled, testId, onClick }: IconButtonProps) {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      <Focusable>
        <Button
          look={look}
          size="icon"
          aria-label={label}
          aria-pressed={pressed}
          data-testid={testId}
          disabled={disabled}
          onClick={onClick}
        >
          <Icon aria-hidden="true" />
        </Button>
      </Focusable>
      <Tooltip className={styles.tip ?? ""} offset={6}>
        {label}
        {keys !== undefined && <kbd className={styles.keys}>{keys}</kbd>}
      </Tooltip>
    </TooltipTrigger>
  );
}
