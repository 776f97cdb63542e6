import type { SceneModel } from "./scene-model";
import { undrawnSentences } from "./twin";
import styles from "./UndrawnLimits.module.css";

/** A word on the scene where it does not show every limit: what is not drawn looks like what is not there. */
export function UndrawnLimits({ model }: { model: SceneModel }) {
  const sentences = undrawnSentences(model);
  if (sentences.length === 0) return null;
  return (
    <p className={styles.note} role="status" data-testid="undrawn-limits">
      {sentences.join(" ")}
    </p>
  );
}
