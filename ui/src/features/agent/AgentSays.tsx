import type { ReactNode } from "react";
import type { ModelName } from "../../generated/bindings/ModelName";
import { t } from "../../locales/i18n";
import { Markdown } from "../../design/markdown/Markdown";
import { RowHead } from "./RowHead";
import styles from "./TranscriptRow.module.css";

type AgentSaysProps = {
  text: string;
  at_ms: number | null;
  /** The model that answered; null where the station has not said it. */
  model: ModelName | null;
  /** More words are on their way. */
  streaming?: boolean;
  /** Content under the words. */
  children?: ReactNode;
  /** Content beside the name of the model. */
  foot?: ReactNode;
};

/** Words of the agent, with the name of the model that wrote them (M-01). The interpreter writes no markdown. */
export function AgentSays({ text, at_ms, model, streaming = false, children, foot }: AgentSaysProps) {
  return (
    <div className={styles.agent} data-streaming={streaming} data-testid="agent-says">
      <RowHead who={t("agent.agent")} at_ms={at_ms} />
      {model?.kind === "interpreter" ? <p className={styles.text}>{text}</p> : <Markdown text={text} />}
      {children}
      <div className={styles.foot}>
        {model !== null && <span data-testid="answered-by">{t(`model.${model.kind}`, { name: model.name })}</span>}
        {foot}
      </div>
    </div>
  );
}
