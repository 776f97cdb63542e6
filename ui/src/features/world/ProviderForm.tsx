import { useState } from "react";
import type { ContextConfigured } from "../../generated/bindings/ContextConfigured";
import type { ContextRow } from "../../generated/bindings/ContextRow";
import { Notice } from "../../design/components/Notice";
import { Refusal } from "../../design/components/Refusal";
import { CheckField } from "../../design/fields/CheckField";
import { FormPanel } from "../../design/fields/FormPanel";
import { pathOf } from "../../design/fields/refusal";
import { SubmitRow } from "../../design/fields/SubmitRow";
import { useStation } from "../../domain/station/station-context";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { keepDraft, keptDraft } from "./kept-drafts";
import { changeOf, draftOf, picked, type ProviderDraft, readProvider } from "./provider-draft";
import { ProviderFields } from "./ProviderFields";
import { ProviderPreview } from "./ProviderPreview";
import { SamplePicker } from "./SamplePicker";
import { useContextTest } from "./useContextTest";

/** The fields that show a refusal themselves, as the station names them. */
const PROVIDER_PATHS: ReadonlySet<string> = new Set([
  "topic_pattern",
  "world_state_key_template",
  "value_field",
  "filter",
  "confidence_field",
  "timestamp_field",
  "rows",
  "unit",
  "mission_id",
  "min_interval_secs",
  "max_age_secs",
  "confidence_default",
  "max_keys",
  "closed_sets",
]);

type ProviderFormProps = {
  /** The id of the one that is changed, or `new`. */
  provider: string;
  /** The row of a provider that is changed; null while the station lists none. */
  opened: ContextRow | null;
  rows: readonly ContextRow[];
  topic: string | null;
  onClose: () => void;
  onDone: (answer: ContextConfigured) => void;
};

/**
 * Puts a provider together in the sight of real samples: what it would write stands beside it all the time (U-1106).
 */
export function ProviderForm({ provider, opened, ...form }: ProviderFormProps) {
  const isNew = provider === "new";
  const { host, store } = useStation();
  // Of the agent that the window shows: the same form for another one is another form.
  const [name] = useState(() => `${store.agent} ${provider} ${form.topic ?? ""}`);
  const [kept] = useState(() => keptDraft(host, name));
  // The row as it was at the opening of the form: the station refuses to change anything else (WS-47).
  const [base, setBase] = useState(kept?.base ?? opened);
  // An address may be here before the row that it names.
  if (!isNew && base === null && opened !== null) setBase(opened);
  // An empty form in its place would set up another provider.
  if (!isNew && base === null) return <Notice title={t("provider_form.gone")} />;
  const keep = (draft: ProviderDraft | null) => keepDraft(host, name, draft && { base, draft });
  const giveUp = () => {
    keep(null);
    form.onClose();
  };
  return <OpenForm base={base} {...form} kept={kept?.draft ?? null} onKeep={keep} onClose={giveUp} />;
}

type OpenFormProps = Omit<ProviderFormProps, "provider" | "opened"> & {
  base: ContextRow | null;
  /** The draft from before the screen was left. */
  kept: ProviderDraft | null;
  onKeep: (draft: ProviderDraft | null) => void;
};

function OpenForm({ base, rows, topic, kept, onKeep, onClose, onDone }: OpenFormProps) {
  const configure = useOperation("configure_context");
  const update = useOperation("update_context");
  const refusal = useAdminRefusal();
  const [draft, setDraft] = useState(() => kept ?? draftOf(base?.config ?? null, topic));
  const [tried, setTried] = useState(false);
  const [anyway, setAnyway] = useState(false);
  const test = useContextTest(draft);
  const reading = readProvider(draft);
  const isNew = base === null;
  const save = isNew ? configure : update;
  const error = save.error ?? test.error;
  const newer = isNew ? null : (rows.find(({ id }) => id === base.id)?.version ?? null);
  const outdated = !isNew && newer !== base.version;
  const needsConfirming = test.answer === null || test.answer.matched === 0;
  const blocked = refusal !== null || save.pending || outdated || (needsConfirming && !anyway);

  const change = (next: ProviderDraft) => {
    configure.forget();
    update.forget();
    setDraft(next);
    onKeep(next);
  };
  const submit = () => {
    setTried(reading.problems !== null);
    if (reading.config === null || blocked) return;
    // Whoever leaves before the answer must not find the form again and set the provider up twice.
    onKeep(null);
    const keep = () => onKeep(draft);
    const done = (answer: ContextConfigured) => {
      onKeep(null);
      onDone(answer);
    };
    if (isNew) configure.run(reading.config, done, keep);
    else update.run({ id: base.id, version: base.version, ...changeOf(reading.config) }, done, keep);
  };

  return (
    <FormPanel title={t(isNew ? "provider_form.new" : "provider_form.edit")} onSubmit={submit} onClose={onClose}>
      {!isNew && outdated && <Outdated newer={newer} before={base.version} />}
      <SamplePicker
        pattern={draft.texts.topic_pattern}
        onTopic={(topic_pattern) => change({ ...draft, texts: { ...draft.texts, topic_pattern } })}
        onPick={(path, example, use) => change(picked(draft, path, example, use))}
      />
      <ProviderFields draft={draft} problems={tried ? reading.problems : null} error={error} onChange={change} />
      <ProviderPreview
        test={test}
        onMaxAge={(secs) => change({ ...draft, numbers: { ...draft.numbers, max_age_secs: secs } })}
      />
      <SubmitRow
        act={t(isNew ? "provider_form.configure" : "provider_form.save")}
        pending={save.pending}
        disabled={blocked}
        hint={refusal ?? ""}
        testId="provider-submit"
      >
        {needsConfirming && (
          <CheckField
            label={t("provider_form.anyway")}
            checked={anyway}
            testId="provider-anyway"
            onChange={setAnyway}
          />
        )}
      </SubmitRow>
      {!PROVIDER_PATHS.has(pathOf(error)) && <Refusal error={error} />}
    </FormPanel>
  );
}

/** Says that somebody else has changed or removed the provider; `newer` is its version now, null if it is gone. */
function Outdated({ newer, before }: { newer: number | null; before: number }) {
  return (
    <p>
      <strong>{newer === null ? t("provider_form.gone") : t("provider_form.newer", { version: newer, before })}</strong>
    </p>
  );
}
