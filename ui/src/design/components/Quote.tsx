import { Info } from "lucide-react";
import styles from "./Quote.module.css";

/** Text from outside, word for word: set apart by its edge, never formatted, and never followed. */
export function Quote({ source, text }: { source: string; text: string }) {
  return (
    <figure className={styles.quote}>
      <figcaption className={styles.source}>
        <Info aria-hidden="true" className={styles.icon} />
        {source}
      </figcaption>
      <blockquote className={styles.text}>{text}</blockquote>
    </figure>
  );
}
