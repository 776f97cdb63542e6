import type { ComponentProps } from "react";
import styles from "./Button.module.css";

type Look = "plain" | "strong" | "quiet";

/** A button that never submits and never takes focus by itself. */
export function Button({ look = "plain", className, ...rest }: ComponentProps<"button"> & { look?: Look }) {
  return (
    <button type="button" className={[styles.button, styles[look], className].filter(Boolean).join(" ")} {...rest} />
  );
}
