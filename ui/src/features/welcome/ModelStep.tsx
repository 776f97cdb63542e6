import { useLocation } from "wouter";
import { Button } from "../../design/components/Button";
import { useShownAgent } from "../../domain/agent/useShownAgent";
import { t } from "../../locales/i18n";
import styles from "./Welcome.module.css";

/** A language model, which is optional: everything else works with the command interpreter (U-111). */
export function ModelStep({ onDone }: { onDone: () => void }) {
  const [, navigate] = useLocation();
  const model = useShownAgent()?.model ?? null;
  return (
    <>
      <h1 className={styles.title}>{t("welcome.model_title")}</h1>
      <p className={styles.lead}>{t("welcome.model_about")}</p>
      {model && (
        <p data-testid="welcome-model">
          {t("welcome.model_now", { model: t(`model.${model.kind}`, { name: model.name }) })}
        </p>
      )}
      <div className={styles.acts}>
        <Button data-testid="welcome-add-model" onClick={() => navigate("/admin/providers")}>
          {t("welcome.add_model")}
        </Button>
        <span className={styles.hint} />
        <Button look="primary" size="large" data-testid="welcome-finish" onClick={onDone}>
          {t(model && model.kind !== "interpreter" ? "welcome.finish" : "welcome.without")}
        </Button>
      </div>
    </>
  );
}
