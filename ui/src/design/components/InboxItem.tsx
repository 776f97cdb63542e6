import type { ReactNode } from "react";
import styles from "./InboxItem.module.css";

type InboxItemProps = {
  symbol: ReactNode;
  title: ReactNode;
  /** The one act that leads on. */
  act?: ReactNode;
  /** Response, time left and age. */
  children: ReactNode;
  /** Priority of an alarm: the only items with a tint. */
  priority?: 1 | 2 | 3 | 4 | undefined;
};

/** One thing that waits for the operator. */
export function InboxItem({ symbol, title, act, children, priority }: InboxItemProps) {
  return (
    <div className={styles.item} data-priority={priority}>
      <span className={styles.symbol}>{symbol}</span>
      <div className={styles.head}>
        <strong className={styles.title}>{title}</strong>
        {act}
      </div>
      <div className={styles.text}>{children}</div>
    </div>
  );
}
