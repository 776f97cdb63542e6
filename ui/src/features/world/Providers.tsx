import { useState } from "react";
import { useLocation } from "wouter";
import type { ContextConfigured } from "../../generated/bindings/ContextConfigured";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useRows } from "../../domain/station/useRows";
import { warningText } from "../../domain/world/warning-text";
import { t } from "../../locales/i18n";
import { ProviderForm } from "./ProviderForm";
import styles from "./Providers.module.css";
import { ProviderTable } from "./ProviderTable";
import { useRefreshed } from "./useRefreshed";
import { providerPath } from "./world-place";

/** Providers that turn samples into entries; `provider` is the edited one, or `new`, of `topic` if one is named. */
export function Providers({ provider, topic }: { provider: string | null; topic: string | null }) {
  const contexts = useRefreshed(useRows("contexts", "list_contexts", {}));
  const refusal = useAdminRefusal();
  const [, navigate] = useLocation();
  const [answer, setAnswer] = useState<ContextConfigured | null>(null);
  const close = () => navigate("/world/providers");
  const add = (
    <Button
      data-testid="provider-new"
      disabled={refusal !== null}
      title={refusal ?? undefined}
      onClick={() => navigate(providerPath("new"))}
    >
      {t("providers.new")}
    </Button>
  );
  return (
    <div className={styles.providers}>
      {/* The list is asked for every two seconds: a form must outlive an answer that does not come. */}
      {provider !== null && (provider === "new" || contexts.data !== undefined) && (
        <ProviderForm
          key={`${provider} ${topic ?? ""}`}
          provider={provider}
          opened={contexts.data?.rows.find(({ id }) => id === provider) ?? null}
          rows={contexts.data?.rows ?? []}
          topic={topic}
          onClose={close}
          onDone={(told) => {
            setAnswer(told);
            close();
          }}
        />
      )}
      <Panel title={t("providers.title")} aside={add}>
        <Told answer={answer} />
        <Rows query={contexts} what={t("providers.title")}>
          {({ rows, asked_ms }) =>
            rows.length === 0 ? (
              <Notice title={t("providers.empty")} detail={t("world.empty_detail")} />
            ) : (
              <ProviderTable
                rows={rows}
                asked_ms={asked_ms}
                edited={provider}
                onEdit={(id) => navigate(providerPath(id))}
              />
            )
          }
        </Rows>
      </Panel>
    </div>
  );
}

function Told({ answer }: { answer: ContextConfigured | null }) {
  return (
    <div className={styles.told} role="status">
      {answer && (
        <>
          <p>{t(answer.version === 1 ? "providers.configured" : "providers.changed")}</p>
          {answer.warnings.map((warning) => (
            <p key={`${warning.code} ${warning.key ?? ""} ${warning.message}`}>
              <strong>{t("rules.note")}</strong> {warningText(warning)}
            </p>
          ))}
        </>
      )}
    </div>
  );
}
