import type { ReactNode } from "react";
import styles from "./Tile.module.css";

type TileProps = {
  /** The shape of the thing, or the symbol of its alarm. */
  glyph: ReactNode;
  name: ReactNode;
  state: ReactNode;
  /** Its holder; stands at the right of the first line. */
  holder: ReactNode;
  /** Its present act, in a few words. */
  doing: ReactNode;
  figures: ReactNode;
  age: ReactNode;
  act?: ReactNode;
};

/** A thing in three lines: what it is, what it does, and its figures with their age. */
export function Tile({ glyph, name, state, holder, doing, figures, age, act }: TileProps) {
  return (
    <div className={styles.tile}>
      <span className={styles.glyph}>{glyph}</span>
      <div className={styles.first}>
        <span className={styles.name}>{name}</span>
        <span className={styles.state}>{state}</span>
        <span className={styles.end}>{holder}</span>
      </div>
      <div className={styles.doing}>{doing}</div>
      <div className={styles.figures}>
        {figures}
        <span className={styles.end}>{age}</span>
      </div>
      {act !== undefined && <div className={styles.act}>{act}</div>}
    </div>
  );
}
