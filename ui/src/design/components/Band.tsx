import type { ReactNode } from "react";
import { Octagon } from "../theme/icons/Octagon";
import styles from "./Band.module.css";

/** Robots are stopped: the one red band, over the full width of where it stands. */
export function Band({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.band}>
      <Octagon />
      <div>
        <p className={styles.title}>{title}</p>
        <p>{children}</p>
      </div>
    </div>
  );
}
