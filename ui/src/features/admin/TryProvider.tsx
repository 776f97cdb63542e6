import { Check, Plus } from "lucide-react";
import { type RefObject, useState } from "react";
import type { ModelList } from "../../generated/bindings/ModelList";
import type { ProviderFailure } from "../../generated/bindings/ProviderFailure";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import forms from "../../design/fields/forms.module.css";
import { useStation } from "../../domain/station/station-context";
import { type HostError, toHostError } from "../../host/host";
import { operation } from "../../host/operations";
import { modelFailure } from "../../domain/agent/model-failure";
import { t } from "../../locales/i18n";
import { attemptOf, type ProviderDraft } from "./provider-draft";
import styles from "./TryProvider.module.css";

type TryProviderProps = {
  draft: ProviderDraft;
  /** The field of a key that was pasted; it is read when the test begins, and held nowhere. */
  field: RefObject<HTMLInputElement | null>;
  onModel: (name: string) => void;
};

type Outcome = { list: ModelList } | { error: HostError } | "asking" | null;

/** Tries the address and the key as they stand in the form, before anything is saved, and lists the models (FU-18). */
export function TryProvider({ draft, field, onModel }: TryProviderProps) {
  // Not through the query client, which would keep what was sent.
  const { host } = useStation();
  const [outcome, setOutcome] = useState<Outcome>(null);
  const attempt = () => {
    setOutcome("asking");
    operation(host, "try_provider", attemptOf(draft, field.current?.value.trim() ?? "")).then(
      (list) => setOutcome({ list }),
      (error: unknown) => setOutcome({ error: toHostError(error) }),
    );
  };
  return (
    <>
      <div className={forms.act}>
        <Button data-testid="provider-try" disabled={outcome === "asking"} onClick={attempt}>
          {t(outcome === "asking" ? "model_provider.trying" : "model_provider.try")}
        </Button>
        <span className={forms.hint}>{t("model_provider.try_hint")}</span>
      </div>
      <div role="status" data-testid="provider-tried">
        {outcome !== null && outcome !== "asking" && <Tried outcome={outcome} draft={draft} onModel={onModel} />}
      </div>
    </>
  );
}

type TriedProps = {
  outcome: Exclude<Outcome, "asking" | null>;
  draft: ProviderDraft;
  onModel: (name: string) => void;
};

function Tried({ outcome, draft, onModel }: TriedProps) {
  if ("error" in outcome) return <Refusal error={outcome.error} />;
  const { models, error } = outcome.list;
  if (error !== null) return <p>{failureText(error)}</p>;
  if (models.length === 0) return <p>{t("model_provider.tried_none")}</p>;
  const offered = new Set(draft.models.split("\n").map((name) => name.trim()));
  return (
    <>
      <p>{t("model_provider.tried", { count: models.length })}</p>
      <ul className={styles.models} aria-label={t("model_provider.try_models")}>
        {models.map(({ name }) => (
          <li key={name}>
            <Button
              size="row"
              data-testid={`offer-${name}`}
              aria-pressed={offered.has(name)}
              onClick={() => onModel(name)}
            >
              {offered.has(name) ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />} {name}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function failureText({ kind, message, status }: ProviderFailure): string {
  const said = modelFailure(kind, message);
  return status === null ? said : t("model_provider.fails", { message: said, status });
}
