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
import { changeSince, draftOf, newDraft } from "./provider-draft";
import { ProviderForm } from "./ProviderForm";
import { ProviderTable } from "./ProviderTable";

const NONE: readonly ProviderRow[] = [];

/** Providers of language models. Without any the command interpreter answers, and everything else works (U-111). */
export function ProvidersSection() {
  const providers = useRows("providers", "list_providers", {});
  const [edited, setEdited] = useState<ProviderRow | "new" | null>(null);
  const refusal = useAdminRefusal();
  const rows = providers.data?.rows ?? NONE;
  const taken = rows.map(({ id }) => id);
  const add = (
    <Button data-testid="provider-add" disabled={refusal !== null} onClick={() => setEdited("new")}>
      {t("model_provider.add")}
    </Button>
  );
  return (
    <>
      {edited === "new" && (
        <ProviderForm isNew first={newDraft("anthropic", taken)} taken={taken} onClose={() => setEdited(null)} />
      )}
      {edited !== null && edited !== "new" && (
        <EditForm
          key={JSON.stringify(draftOf(edited))}
          edited={edited}
          now={rows.find(({ id }) => id === edited.id)}
          onEdit={setEdited}
        />
      )}
      <Panel
        title={t("model_provider.title")}
        aside={
          <>
            {refusal}
            {rows.length > 0 && add}
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

type EditFormProps = {
  edited: ProviderRow;
  /** The provider as it is in force; undefined once it was removed. */
  now: ProviderRow | undefined;
  onEdit: (provider: ProviderRow | null) => void;
};

/** The form of a provider, which goes on holding what was typed when another person changes the provider. */
function EditForm({ edited, now, onEdit }: EditFormProps) {
  return (
    <ProviderForm
      first={draftOf(edited)}
      isNew={false}
      taken={[]}
      since={changeSince(edited, now)}
      onNewer={() => now !== undefined && onEdit(now)}
      onClose={() => onEdit(null)}
    />
  );
}
