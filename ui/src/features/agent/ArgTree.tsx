import { treeOf } from "./arg-tree";
import styles from "./ToolRow.module.css";

/** Arguments as they were sent, name by name. */
export function ArgTree({ value }: { value: unknown }) {
  const lines = treeOf(value);
  if (lines.length === 0) return null;
  return (
    <ul className={styles.tree}>
      {lines.map(({ depth, name, text }, place) => (
        <li key={place} style={{ paddingLeft: `calc(${depth} * var(--space-4))` }}>
          <span className={styles.name}>{name}</span> {text !== null && <code>{text}</code>}
        </li>
      ))}
    </ul>
  );
}
