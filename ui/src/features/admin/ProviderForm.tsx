import { useState } from "react";
import { Button } from "../../shared/components/Button";
import { Refusal } from "../../shared/components/Refusal";
import { FormPanel } from "../../shared/fields/FormPanel";
import forms from "../../shared/fields/forms.module.css";
import { CodeField } from "../../shared/fields/CodeField";
import { problemAt } from "../../shared/fields/refusal";
import { SelectField } from "../../shared/fields/SelectField";
import { TextField } from "../../shared/fields/TextField";
import { useOperation } from "../../shared/hooks/useOperation";
import { useRows } from "../../shared/hooks/useRows";
import { t } from "../../shared/i18n";
import styles from "./Admin.module.css";
import { isLocalKind, kindName, KINDS } from "./kinds";
import { newDraft, type ProviderDraft, providerOf } from "./provider-draft";

/** Adds a provider or changes one. The key has a place of its own: here it is only named. */
export function ProviderForm({ first, isNew, onClose }: { first: ProviderDraft; isNew: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState(first);
  const set = useOperation("set_provider");
  const keys = useRows("providers", "list_secrets", {});
  const read = providerOf(draft);
  const change = (part: Partial<ProviderDraft>) => {
    setDraft({ ...draft, ...part });
    set.forget();
  };
  const problem = (path: string) => ("path" in read && read.path === path && draft[read.path] !== "" ? t(`model_provider.problem_${read.path}`) : (problemAt(set.error, path)?.message ?? null));
  const names = [...new Set([draft.key, ...(keys.data?.rows ?? []).map(({ name }) => name)])].filter((name) => name !== "");
  return (
    <FormPanel
      title={isNew ? t("model_provider.add_title") : t("model_provider.edit", { id: first.id })}
      onClose={onClose}
      onSubmit={() => {
        if ("provider" in read) set.run(read.provider, onClose);
      }}
    >
      <div className={forms.columns}>
        <div className={forms.column}>
          <SelectField
            label={t("model_provider.kind")}
            value={draft.kind}
            options={KINDS.map((value) => ({ value, text: kindName(value) }))}
            problem={problem("kind")}
            onChange={(kind) => change(isNew ? { ...newDraft(kind), key: draft.key } : { kind, local: isLocalKind(kind) })}
          />
          {isNew && <TextField label={t("model_provider.name")} value={draft.id} problem={problem("id")} testId="provider-id" onChange={(id) => change({ id })} />}
          <TextField label={t("model_provider.base")} value={draft.base} problem={problem("base")} testId="provider-base" onChange={(base) => change({ base })} />
          <SelectField
            label={t("model_provider.key")}
            value={draft.key}
            options={[{ value: "", text: t("model_provider.no_key") }, ...names.map((value) => ({ value, text: value }))]}
            problem={problem("key")}
            onChange={(key) => change({ key })}
          />
        </div>
        <div className={forms.column}>
          <label className={styles.check}>
            <input type="checkbox" checked={draft.local} data-testid="provider-local" onChange={(event) => change({ local: event.target.checked })} />
            {t("model_provider.is_local")}
          </label>
          <TextField label={t("model_provider.window")} value={draft.window} problem={problem("window")} testId="provider-window" onChange={(window) => change({ window })} />
          <CodeField label={t("model_provider.models")} value={draft.models} problem={problemAt(set.error, "models")} rows={3} lines testId="provider-models" onChange={(models) => change({ models })} />
        </div>
      </div>
      <div className={forms.act}>
        <Button type="submit" look="strong" data-testid="provider-save" disabled={"path" in read || set.pending}>
          {set.pending ? t("hold.sending") : t("model_provider.save")}
        </Button>
        <span className={forms.hint}>{t("model_provider.written")}</span>
      </div>
      <Refusal error={set.error} />
    </FormPanel>
  );
}
