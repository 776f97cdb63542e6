import type { ReactNode } from "react";
import styles from "./Parts.module.css";

/** One kind of part under its name. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.part} data-part={name}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}
