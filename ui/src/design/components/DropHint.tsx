import styles from "./DropHint.module.css";

/** The name of the files that are to be dropped, over the whole place that takes them. */
export function DropHint({ text }: { text: string }) {
  return (
    <p className={styles.hint} aria-hidden="true">
      {text}
    </p>
  );
}
