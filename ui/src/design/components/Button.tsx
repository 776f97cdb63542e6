import type { ComponentProps } from "react";
import { BareButton } from "./BareButton";
import styles from "./Button.module.css";

type ButtonProps = ComponentProps<"button"> & {
  /** `primary` is what the view is for, once in it; `quiet` is for tools and exits that can be undone. */
  look?: "primary" | "plain" | "quiet";
  /** `row` in a row of a list, `large` in a bar of acts; `icon` is square and needs an `aria-label`. */
  size?: "row" | "normal" | "large" | "icon";
};

/** A button that never submits by itself, never takes focus, and does not lose it by being disabled. */
export function Button({ look = "plain", size = "normal", className, ...rest }: ButtonProps) {
  return (
    <BareButton
      className={[styles.button, styles[look], styles[size], className].filter(Boolean).join(" ")}
      {...rest}
    />
  );
}
