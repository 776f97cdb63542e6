import type { ReactNode } from "react";
import styles from "./Notice.module.css";

type NoticeProps = {
  title: string;
  detail?: string | undefined;
  /** Code of an error, as the station names it. */
  code?: string | undefined;
  /** `stale` where contents are old and nothing acts; `line` in a bar, whose height it must not exceed. */
  look?: "plain" | "stale" | "line";
  /** The acts that lead on. */
  children?: ReactNode;
};

/** A sentence in the place of contents: empty, failed, slow or out of contact. */
export function Notice({ title, detail, code, look = "plain", children }: NoticeProps) {
  // A bar has room for one line of each.
  const cut = (text: string | undefined) => (look === "line" ? text : undefined);
  return (
    <div className={styles.notice} data-look={look}>
      <p className={styles.title} title={cut(title)}>
        {title}
      </p>
      {(detail !== undefined || code !== undefined) && (
        <p className={styles.detail} title={cut(detail)}>
          {detail} {code !== undefined && <code>{code}</code>}
        </p>
      )}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
