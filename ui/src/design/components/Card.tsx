import type { ReactNode } from "react";
import styles from "./Card.module.css";

/** One thing that stands for itself, raised from its panel. Cards are never nested. */
export function Card({ children }: { children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

/** The one number that decides, its unit and what it is. */
export function Figure({ value, unit, about }: { value: string; unit: string; about: string }) {
  return (
    <p className={styles.figure}>
      <b>
        {value} <small>{unit}</small>
      </b>
      <span>{about}</span>
    </p>
  );
}
