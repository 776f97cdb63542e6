import { t } from "../../locales/i18n";
import styles from "./Thinking.module.css";

/** What a model thought, closed: it is no answer, and nothing in it is checked. */
export function Thinking({ text, running }: { text: string; running: boolean }) {
  if (text === "") return null;
  return (
    <details className={styles.thinking} data-testid="thinking">
      <summary>{t(running ? "agent.thinking" : "agent.thought")}</summary>
      <p className={styles.text}>{text}</p>
    </details>
  );
}
