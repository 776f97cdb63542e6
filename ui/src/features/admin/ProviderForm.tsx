import { type Ref, useRef, useState } from "react";
import type { ServerKind } from "../../generated/bindings/ServerKind";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
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
import { type ProviderDraft, providerOf, toggledModel, withKind } from "./provider-draft";
import { TryProvider } from "./TryProvider";
import { useSetSecret } from "./useSetSecret";

type ProviderFormProps = {
  first: ProviderDraft;
  isNew: boolean;
  /** Names that a new provider cannot have. */
  taken: readonly string[];
  /** The change of the provider by somebody else since the form was opened. */
  since?: "changed" | "gone" | null;
  onNewer?: () => void;
  onClose: () => void;
};

/**
 * Adds a provider or changes one. A new one takes its key with it, under the name of the provider; a changed one names a
 * key that is kept.
 */
export function ProviderForm({ first, isNew, taken, since = null, onNewer, onClose }: ProviderFormProps) {
  const form = useProviderForm(first, taken, onClose);
  const { draft, read, change, key, pastes, secret, set, problem } = form;
  return (
    <FormPanel
      title={isNew ? t("model_provider.add_title") : t("model_provider.edit", { id: first.id })}
      onClose={onClose}
      onSubmit={form.submit}
    >
      {/* The form's own change comes back before its answer does. */}
      {since !== null && !set.pending && <Meanwhile id={first.id} since={since} onNewer={onNewer} />}
      <div className={forms.columns}>
        <AddressFields
          draft={draft}
          isNew={isNew}
          problem={problem}
          onChange={change}
          onKind={(kind) => change(isNew ? withKind(draft, kind, taken) : { kind, local: isLocalKind(kind) })}
        />
        <ModelFields draft={draft} problem={problem} models={problemAt(set.error, "models")} onChange={change} />
      </div>
      {isNew && !draft.local && draft.key === "" && (
        <NewKey
          field={key}
          problem={form.keyProblem}
          sessionOnly={form.sessionOnly}
          onSessionOnly={form.setSessionOnly}
          onChange={form.pasted}
        />
      )}
      <TryProvider
        // The outcome of a test is about the address and the key that were tried, and about no others.
        key={`${draft.kind} ${draft.base} ${draft.key} ${draft.local} ${pastes}`}
        draft={draft}
        field={key}
        onModel={(name) => change({ models: toggledModel(draft.models, name) })}
      />
      <SubmitRow
        act={t("model_provider.save")}
        pending={set.pending || secret.pending}
        disabled={"path" in read || form.isTaken}
        hint={t("model_provider.written")}
        testId="provider-save"
      />
      <Refusal error={secret.error ?? set.error} />
      {secret.error?.code === "keychain_unavailable" && <p data-testid="keychain-remedy">{t("keys.remedy")}</p>}
    </FormPanel>
  );
}

/** The draft, its key, and the two calls that save them. */
function useProviderForm(first: ProviderDraft, taken: readonly string[], onClose: () => void) {
  const [draft, setDraft] = useState(first);
  const [sessionOnly, setSessionOnly] = useState(false);
  const [pastes, setPastes] = useState(0);
  const [keyProblem, setKeyProblem] = useState<string | null>(null);
  const key = useRef<HTMLInputElement>(null);
  const keys = useKeptKeys();
  const secret = useSetSecret();
  const set = useOperation("set_provider");
  const read = providerOf(draft);
  // While it is being added, the name in the list may be its own already.
  const isTaken = !set.pending && taken.includes(draft.id.trim());
  const changed = () => {
    set.forget();
    secret.forget();
    setKeyProblem(null);
  };
  const change = (part: Partial<ProviderDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    changed();
  };
  const pasted = () => {
    setPastes(pastes + 1);
    changed();
  };
  const save = async (provider: Input<"set_provider">) => {
    const value = key.current?.value.trim() ?? "";
    if (value === "") return set.run(provider, onClose);
    // A kept key of that name may be the one of another provider, and would be replaced.
    if (keys.includes(provider.id)) return setKeyProblem(t("model_provider.key_taken"));
    // The key is saved first: a provider without its key answers nobody.
    if (!(await secret.send(provider.id, value, sessionOnly))) return;
    if (key.current) key.current.value = "";
    // Its field is empty from now on: the draft names the key, for the case that the provider is refused.
    setDraft((before) => ({ ...before, key: provider.id }));
    set.run({ ...provider, key: provider.id }, onClose);
  };
  const submit = () => {
    if ("provider" in read && !isTaken) void save(read.provider);
  };
  const problem = (path: string) => {
    if ("path" in read && read.path === path && draft[read.path] !== "")
      return t(`model_provider.problem_${read.path}`);
    if (path === "id" && isTaken) return t("model_provider.taken");
    return problemAt(set.error, path)?.message ?? null;
  };
  return {
    draft,
    read,
    change,
    key,
    pastes,
    pasted,
    keyProblem,
    secret,
    set,
    sessionOnly,
    setSessionOnly,
    isTaken,
    submit,
    problem,
  };
}

/** The names of the keys that are kept. */
function useKeptKeys(): readonly string[] {
  return (useRows("providers", "list_secrets", {}).data?.rows ?? []).map(({ name }) => name);
}

type MeanwhileProps = { id: string; since: "changed" | "gone"; onNewer: (() => void) | undefined };

/** Says that somebody else has changed the provider while its form was open. */
function Meanwhile({ id, since, onNewer }: MeanwhileProps) {
  return (
    <div role="status" data-testid="provider-meanwhile">
      <Notice title={t(`model_provider.${since}`, { id })} detail={t(`model_provider.${since}_detail`)}>
        {since === "changed" && (
          <Button size="row" data-testid="provider-newer" onClick={onNewer}>
            {t("model_provider.show_newer")}
          </Button>
        )}
      </Notice>
    </div>
  );
}

type NewKeyProps = {
  field: Ref<HTMLInputElement>;
  problem: string | null;
  sessionOnly: boolean;
  onSessionOnly: (only: boolean) => void;
  onChange: () => void;
};

/** The key as its service shows it, pasted. */
function NewKey({ field, problem, sessionOnly, onSessionOnly, onChange }: NewKeyProps) {
  return (
    <div className={forms.columns}>
      <div className={forms.column}>
        <SecretField
          testId="key-value"
          label={t("model_provider.new_key")}
          ref={field}
          problem={problem}
          onChange={onChange}
        />
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

type AddressFieldsProps = FieldsProps & { isNew: boolean; onKind: (kind: ServerKind) => void };

/** Address of the provider, and the name of the key for it. */
function AddressFields({ draft, isNew, problem, onChange, onKind }: AddressFieldsProps) {
  const names = [...new Set([draft.key, ...useKeptKeys()])].filter((name) => name !== "");
  return (
    <div className={forms.column}>
      <SelectField
        label={t("model_provider.kind")}
        value={draft.kind}
        options={KINDS.map((value) => ({ value, text: kindName(value) }))}
        problem={problem("kind")}
        onChange={onKind}
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
