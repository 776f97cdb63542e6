import type { ProviderTested } from "../../generated/bindings/ProviderTested";
import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { problemAt } from "../../design/fields/refusal";
import { formatNumber } from "../../design/format/numbers";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { modelFailure } from "../../domain/agent/model-failure";
import { t } from "../../locales/i18n";
import styles from "./Admin.module.css";

/** Asks a model of the provider for one word, and says in plain words what came of it. */
export function TestProvider({ provider, model }: { provider: string; model?: string }) {
  const test = useOperation("test_provider");
  const refusal = useAdminRefusal();
  const [tested, setTested] = useState<ProviderTested | null>(null);
  const begin = () => {
    // The outcome of the last test says nothing about this one, which may be refused.
    setTested(null);
    test.run({ provider, ...(model === undefined ? {} : { model }) }, setTested);
  };
  return (
    <div className={styles.acts}>
      {tested !== null && (
        <span role="status" className={styles.result} data-testid={`tested-${provider}`}>
          {testText(tested)}
        </span>
      )}
      {problemAt(test.error, "model") === null ? (
        <Refusal error={test.error} />
      ) : (
        <span role="status">{t("model_provider.no_model")}</span>
      )}
      <Button
        data-testid={`test-${provider}`}
        aria-label={t("model_provider.test_name", { id: provider })}
        title={refusal ?? undefined}
        disabled={refusal !== null || test.pending}
        onClick={begin}
      >
        {test.pending ? t("hold.sending") : t("model_provider.test")}
      </Button>
    </div>
  );
}

function testText({ model, latency_ms, error }: ProviderTested): string {
  if (error === null) return t("model_provider.answers", { model, ms: formatNumber(latency_ms, 0) });
  const message = modelFailure(error.kind, error.message);
  return error.status === null ? message : t("model_provider.fails", { message, status: error.status });
}
