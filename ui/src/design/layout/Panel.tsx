import { type ReactNode, useId } from "react";
import styles from "./Panel.module.css";

type PanelProps = {
  title: string;
  /** False where what stands above names the area already: then only those who cannot see it are told. */
  titled?: boolean;
  aside?: ReactNode;
  children: ReactNode;
};

/** A titled area of a screen. */
export function Panel({ title, titled = true, aside, children }: PanelProps) {
  const heading = useId();
  return (
    <section className={styles.panel} aria-labelledby={heading}>
      <header className={titled || aside !== undefined ? styles.header : styles.bare} data-titled={titled}>
        <h2 id={heading} className={titled ? styles.title : "visually-hidden"}>
          {title}
        </h2>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </header>
      {children}
    </section>
  );
}
