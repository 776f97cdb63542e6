import { useState } from "react";
import type { ProviderRow } from "../../generated/bindings/ProviderRow";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Rows } from "../../design/components/Rows";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { LocalServers } from "./LocalServers";
import { draftOf, newDraft } from "./provider-draft";
import { ProviderForm } from "./ProviderForm";
import { ProviderTable } from "./ProviderTable";

/** Providers of language models. Without any the command interpreter answers, and everything else works (U-111). */
export function ProvidersSection() {
  const providers = useRows("providers", "list_providers", {});
  const [edited, setEdited] = useState<ProviderRow | "new" | null>(null);
  const refusal = useAdminRefusal();
  const add = (
    <Button data-testid="provider-add" disabled={refusal !== null} onClick={() => setEdited("new")}>
      {t("model_provider.add")}
    </Button>
  );
  return (
    <>
      {edited !== null && (
        <ProviderForm
          key={edited === "new" ? "" : edited.id}
          first={edited === "new" ? newDraft("anthropic") : draftOf(edited)}
          isNew={edited === "new"}
          onClose={() => setEdited(null)}
        />
      )}
      <Panel
        title={t("model_provider.title")}
        aside={
          <>
            {refusal}
            {(providers.data?.rows.length ?? 0) > 0 && add}
          </>
        }
      >
        <Rows query={providers} what={t("model_provider.title")}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Notice title={t("model_provider.none")} detail={t("model_provider.none_detail")}>
                {add}
              </Notice>
            ) : (
              <ProviderTable providers={rows} onEdit={setEdited} />
            )
          }
        </Rows>
      </Panel>
      <LocalServers />
    </>
  );
}
