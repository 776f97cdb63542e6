import { lazy, type ReactNode } from "react";
import type { ModelName } from "../../generated/bindings/ModelName";
import { LazyPart } from "../../design/components/LazyPart";
import { t } from "../../locales/i18n";
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

/** Its reader comes after the first screen; until then the words stand as they were written. */
const Markdown = lazy(() => import("../../design/markdown/Markdown").then((module) => ({ default: module.Markdown })));

/** Words of the agent, with the name of the model that wrote them (M-01). The interpreter writes no markdown. */
export function AgentSays({ text, at_ms, model, streaming = false, children, foot }: AgentSaysProps) {
  return (
    <div className={styles.agent} data-streaming={streaming} data-testid="agent-says">
      <RowHead who={t("agent.agent")} at_ms={at_ms} />
      {model?.kind === "interpreter" ? (
        <p className={styles.text}>{text}</p>
      ) : (
        <LazyPart wait={text} className={styles.text}>
          <Markdown text={text} />
        </LazyPart>
      )}
      {children}
      <div className={styles.foot}>
        {model !== null && <span data-testid="answered-by">{t(`model.${model.kind}`, { name: model.name })}</span>}
        {foot}
      </div>
    </div>
  );
}
