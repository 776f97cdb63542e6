import type { ReactNode } from "react";
import styles from "./Notice.module.css";

/** A sentence in the place of contents: empty, failed or slow. */
export function Notice({
  title,
  detail,
  children,
}: {
  title: string;
  detail?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div className={styles.notice}>
      <p className={styles.title}>{title}</p>
      {detail !== undefined && <p className={styles.detail}>{detail}</p>}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
