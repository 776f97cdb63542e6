import type { Recall } from "../../generated/bindings/Recall";
import type { ModelChoice } from "../../generated/bindings/ModelChoice";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";
import { ModelPicker, sameModel } from "./ModelPicker";
import { useChoice } from "./useChoice";

type EmbeddingChooserProps = { agent: string; inForce: ModelChoice | null; recall: Recall };

/** Choice of the model that embeds the agent's records and tools. Without one they are found by their words. */
export function EmbeddingChooser({ agent, inForce, recall }: EmbeddingChooserProps) {
  const { choice, choose, sent, isOvertaken } = useChoice(inForce, sameModel);
  const select = useOperation("select_embedding");
  const refusal = useCommandRefusal();
  const whole = choice === null || choice.model !== "";
  return (
    <Panel title={t("embedding.title", { agent })} aside={<span data-testid="recall">{t(`embedding.${recall}`)}</span>}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal === null && whole) select.run(choice ?? {}, sent);
        }}
      >
        <ModelPicker
          label={t("embedding.provider")}
          none={t("embedding.none")}
          testId="embedding"
          choice={choice}
          onChoice={(next) => {
            choose(next);
            select.forget();
          }}
        />
        <Button type="submit" data-testid="select-embedding" disabled={refusal !== null || select.pending || !whole}>
          {select.pending ? t("hold.sending") : t("embedding.use")}
        </Button>
        <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? t("embedding.means")}</span>
        <div className={styles.wide}>
          <Refusal error={select.error} />
          {isOvertaken && (
            <p role="status" data-testid="embedding-overtaken">
              {t("agents.changed", { model: inForce?.model ?? t("embedding.none") })}
            </p>
          )}
        </div>
      </form>
    </Panel>
  );
}
