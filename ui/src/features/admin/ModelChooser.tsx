import { useState } from "react";
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

type Models = { main: ModelChoice | null; side: ModelChoice | null };
type ModelChooserProps = { agent: string; inForce: Models };

/** Choice of the agent's main model and of a smaller side model. Without one the command interpreter answers. */
export function ModelChooser({ agent, inForce }: ModelChooserProps) {
  const draft = useChoice(inForce, (a, b) => sameModel(a.main, b.main) && sameModel(a.side, b.side));
  const { main, side } = draft.choice;
  const [said, setSaid] = useState<{ main: ModelChoice | null; text: string } | null>(null);
  const select = useOperation("select_model");
  const refusal = useCommandRefusal();
  const choose = (models: Models) => {
    draft.choose(models);
    select.forget();
    setSaid(null);
  };
  return (
    <Panel title={t("agents.model_of", { agent })}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (refusal !== null || !isWhole(main) || !isWhole(side)) return;
          // Without a provider and a model in the input the command interpreter answers.
          select.run({ ...main, ...(side === null ? {} : { side }) }, ({ model }) => {
            draft.sent();
            setSaid({ main, text: t(`model.${model.kind}`, { name: model.name }) });
          });
        }}
      >
        <ModelPicker
          label={t("agents.main")}
          none={t("model.interpreter")}
          testId="main"
          choice={main}
          onChoice={(next) => choose({ main: next, side: next === null ? null : side })}
        />
        {main !== null && (
          <ModelPicker
            label={t("agents.side")}
            none={t("agents.side_same")}
            testId="side"
            choice={side}
            onChoice={(next) => choose({ main, side: next })}
          />
        )}
        <Button
          type="submit"
          data-testid="select-model"
          disabled={refusal !== null || select.pending || !isWhole(main) || !isWhole(side)}
        >
          {select.pending ? t("hold.sending") : t("agents.use")}
        </Button>
        <span className={`${styles.hint} ${styles.wide}`}>{refusal ?? t("agents.use_means")}</span>
        <div className={styles.wide}>
          <Refusal error={select.error} />
          {draft.isOvertaken && (
            <p role="status" data-testid="model-overtaken">
              {t("agents.changed", { model: inForce.main?.model ?? t("model.interpreter") })}
            </p>
          )}
          {said !== null && sameModel(said.main, main) && (
            <p role="status" data-testid="model-selected">
              {t("agents.answers_now", { agent, model: said.text })}
            </p>
          )}
        </div>
      </form>
    </Panel>
  );
}

/** A provider without a model is not chosen yet. */
function isWhole(choice: ModelChoice | null): boolean {
  return choice === null || choice.model !== "";
}
