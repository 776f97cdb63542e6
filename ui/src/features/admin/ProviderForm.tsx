import { type Ref, useRef, useState } from "react";
import { Refusal } from "../../design/components/Refusal";
import { CheckField } from "../../design/fields/CheckField";
import { FormPanel } from "../../design/fields/FormPanel";
import forms from "../../design/fields/forms.module.css";
import { CodeField } from "../../design/fields/CodeField";
import { type FieldProblem, problemAt } from "../../design/fields/refusal";
import { SelectField } from "../../design/fields/SelectField";
import { SubmitRow } from "../../design/fields/SubmitRow";
import { SecretField } from "../../design/fields/SecretField";
import { TextField } from "../../design/fields/TextField";
import type { Input } from "../../host/operations";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { isLocalKind, kindName, KINDS } from "./kinds";
import { newDraft, type ProviderDraft, providerOf, toggledModel } from "./provider-draft";
import { TryProvider } from "./TryProvider";
import { useSetSecret } from "./useSetSecret";

/**
 * Adds a provider or changes one. A new one takes its key with it, under the name of the provider; a changed one names a
 * key that is kept.
 */
export function ProviderForm({ first, isNew, onClose }: { first: ProviderDraft; isNew: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState(first);
  const [sessionOnly, setSessionOnly] = useState(false);
  const key = useRef<HTMLInputElement>(null);
  const secret = useSetSecret();
  const set = useOperation("set_provider");
  const read = providerOf(draft);
  const change = (part: Partial<ProviderDraft>) => {
    setDraft({ ...draft, ...part });
    set.forget();
    secret.forget();
  };
  const save = async (provider: Input<"set_provider">) => {
    const value = key.current?.value.trim() ?? "";
    if (value === "") return set.run(provider, onClose);
    // The key is saved first: a provider without its key answers nobody.
    if (!(await secret.send(provider.id, value, sessionOnly))) return;
    if (key.current) key.current.value = "";
    set.run({ ...provider, key: provider.id }, onClose);
  };
  const problem = (path: string) =>
    "path" in read && read.path === path && draft[read.path] !== ""
      ? t(`model_provider.problem_${read.path}`)
      : (problemAt(set.error, path)?.message ?? null);
  return (
    <FormPanel
      title={isNew ? t("model_provider.add_title") : t("model_provider.edit", { id: first.id })}
      onClose={onClose}
      onSubmit={() => {
        if ("provider" in read) void save(read.provider);
      }}
    >
      <div className={forms.columns}>
        <AddressFields draft={draft} isNew={isNew} problem={problem} onChange={change} />
        <ModelFields draft={draft} problem={problem} models={problemAt(set.error, "models")} onChange={change} />
      </div>
      {isNew && !draft.local && draft.key === "" && (
        <NewKey field={key} sessionOnly={sessionOnly} onSessionOnly={setSessionOnly} onChange={secret.forget} />
      )}
      <TryProvider
        key={`${draft.kind} ${draft.base} ${draft.key} ${draft.local}`}
        draft={draft}
        field={key}
        onModel={(name) => change({ models: toggledModel(draft.models, name) })}
      />
      <SubmitRow
        act={t("model_provider.save")}
        pending={set.pending || secret.pending}
        disabled={"path" in read}
        hint={t("model_provider.written")}
        testId="provider-save"
      />
      <Refusal error={secret.error ?? set.error} />
      {secret.error?.code === "keychain_unavailable" && <p data-testid="keychain-remedy">{t("keys.remedy")}</p>}
    </FormPanel>
  );
}

type NewKeyProps = {
  field: Ref<HTMLInputElement>;
  sessionOnly: boolean;
  onSessionOnly: (only: boolean) => void;
  onChange: () => void;
};

/** The key as its service shows it, pasted. */
function NewKey({ field, sessionOnly, onSessionOnly, onChange }: NewKeyProps) {
  return (
    <div className={forms.columns}>
      <div className={forms.column}>
        <SecretField testId="key-value" label={t("model_provider.new_key")} ref={field} onChange={onChange} />
        <CheckField
          label={t("keys.session_only")}
          checked={sessionOnly}
          testId="provider-key-session-only"
          onChange={onSessionOnly}
        />
      </div>
      <p className={forms.hint}>{t("keys.none_detail")}</p>
    </div>
  );
}

type FieldsProps = {
  draft: ProviderDraft;
  problem: (path: string) => string | null;
  onChange: (part: Partial<ProviderDraft>) => void;
};

/** Address of the provider, and the name of the key for it. */
function AddressFields({ draft, isNew, problem, onChange }: FieldsProps & { isNew: boolean }) {
  const keys = useRows("providers", "list_secrets", {});
  const kept = (keys.data?.rows ?? []).map(({ name }) => name);
  const names = [...new Set([draft.key, ...kept])].filter((name) => name !== "");
  return (
    <div className={forms.column}>
      <SelectField
        label={t("model_provider.kind")}
        value={draft.kind}
        options={KINDS.map((value) => ({ value, text: kindName(value) }))}
        problem={problem("kind")}
        onChange={(kind) =>
          onChange(isNew ? { ...newDraft(kind), key: draft.key } : { kind, local: isLocalKind(kind) })
        }
      />
      {isNew && (
        <TextField
          label={t("model_provider.name")}
          value={draft.id}
          problem={problem("id")}
          testId="provider-id"
          onChange={(id) => onChange({ id })}
        />
      )}
      <TextField
        label={t("model_provider.base")}
        value={draft.base}
        problem={problem("base")}
        testId="provider-base"
        onChange={(base) => onChange({ base })}
      />
      <SelectField
        label={t("model_provider.key")}
        value={draft.key}
        options={[{ value: "", text: t("model_provider.no_key") }, ...names.map((value) => ({ value, text: value }))]}
        problem={problem("key")}
        onChange={(key) => onChange({ key })}
      />
    </div>
  );
}

/** Its models, and how much they read at once. */
function ModelFields({ draft, problem, models, onChange }: FieldsProps & { models: FieldProblem | null }) {
  return (
    <div className={forms.column}>
      <CheckField
        label={t("model_provider.is_local")}
        checked={draft.local}
        testId="provider-local"
        onChange={(local) => onChange({ local })}
      />
      <TextField
        label={t("model_provider.window")}
        value={draft.window}
        problem={problem("window")}
        testId="provider-window"
        onChange={(window) => onChange({ window })}
      />
      <CodeField
        label={t(draft.local ? "model_provider.models_local" : "model_provider.models")}
        value={draft.models}
        problem={models}
        rows={3}
        lines
        testId="provider-models"
        onChange={(text) => onChange({ models: text })}
      />
    </div>
  );
}
