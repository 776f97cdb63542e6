import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { ChoiceCards } from "../../design/fields/ChoiceCards";
import { modeText } from "../../domain/agent/mode";
import { useShownAgent } from "../../domain/agent/useShownAgent";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Welcome.module.css";

const MODES = ["watch", "ask", "assist"] as const;

/** The extent of the agent's autonomy. Limits, approvals and STOP ALL hold whatever is chosen. */
export function AgentStep({ onDone }: { onDone: () => void }) {
  const set = useOperation("set_mode");
  const refusal = useCommandRefusal();
  const mode = useShownAgent()?.mode ?? null;
  // None of the cards for an agent that carries a mission out, and for one that is not known yet.
  const shown = MODES.find((value) => value === mode) ?? "";
  return (
    <>
      <h1 className={styles.title}>{t("welcome.agent_title")}</h1>
      <p className={styles.lead}>{t("welcome.agent_about")}</p>
      <ChoiceCards
        label={t("welcome.agent_title")}
        value={shown}
        choices={MODES.map((value) => ({
          value,
          title: t(`agent_mode.${value}`),
          detail: t(`agent_mode_means.${value}`),
        }))}
        disabled={refusal !== null}
        onChange={(next) => next !== "" && set.run({ mode: next })}
      />
      {mode !== null && shown === "" && <p>{modeText(mode)}</p>}
      <Refusal error={set.error} />
      <div className={styles.acts}>
        <span className={styles.hint}>{refusal}</span>
        <Button look="primary" size="large" data-testid="welcome-agent-go" onClick={onDone}>
          {t("welcome.go_on")}
        </Button>
      </div>
    </>
  );
}
