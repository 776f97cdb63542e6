import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import styles from "./Examples.module.css";

/** Sentences that work in the simulator with the built-in command interpreter (U-911). */
const EXAMPLES = ["what do you see", "status", "move arm-1 to 0.5 0.2 1.0 at 0.2 m/s", "stop"] as const;

/** What to try first. */
export function Examples({ disabled, onPick }: { disabled: boolean; onPick: (text: string) => void }) {
  return (
    <div className={styles.examples}>
      <p className={styles.title}>{t("agent.try")}</p>
      {EXAMPLES.map((example) => (
        <Button key={example} className={styles.example} disabled={disabled} onClick={() => onPick(example)}>
          {example}
        </Button>
      ))}
    </div>
  );
}
