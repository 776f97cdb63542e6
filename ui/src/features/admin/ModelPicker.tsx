import type { ModelChoice } from "../../generated/bindings/ModelChoice";
import type { ModelRow } from "../../generated/bindings/ModelRow";
import { refusalText } from "../../design/fields/refusal";
import { SelectField } from "../../design/fields/SelectField";
import { TextField } from "../../design/fields/TextField";
import { formatNumber } from "../../design/format/numbers";
import { useRows } from "../../domain/station/useRows";
import { toHostError } from "../../host/host";
import { t } from "../../locales/i18n";

type ModelPickerProps = {
  label: string;
  none: string;
  testId: string;
  choice: ModelChoice | null;
  onChoice: (choice: ModelChoice | null) => void;
};

/** True for the same model of the same provider. */
export function sameModel(a: ModelChoice | null, b: ModelChoice | null): boolean {
  return a?.provider === b?.provider && a?.model === b?.model;
}

/** A provider, and one of its models; where the provider names none, its name is written. */
export function ModelPicker({ label, none, testId, choice, onChoice }: ModelPickerProps) {
  const providers = useRows("providers", "list_providers", {});
  const ids = (providers.data?.rows ?? []).map(({ id }) => id);
  return (
    <>
      <SelectField
        label={label}
        value={choice?.provider ?? ""}
        options={[{ value: "", text: none }, ...ids.map((value) => ({ value, text: value }))]}
        problem={null}
        onChange={(provider) => onChoice(provider === "" ? null : { provider, model: "" })}
      />
      {choice !== null && (
        <Models testId={testId} choice={choice} onModel={(model) => onChoice({ ...choice, model })} />
      )}
    </>
  );
}

function Models({
  testId,
  choice,
  onModel,
}: {
  testId: string;
  choice: ModelChoice;
  onModel: (model: string) => void;
}) {
  const models = useRows("providers", "list_models", { provider: choice.provider });
  const rows = models.data?.rows.models ?? [];
  const refusal = models.error === null ? null : refusalText(toHostError(models.error));
  const problem = refusal ?? models.data?.rows.error?.message ?? null;
  if (rows.length === 0) {
    return (
      <TextField
        label={t("agents.model")}
        value={choice.model}
        problem={problem}
        testId={`${testId}-model`}
        onChange={onModel}
      />
    );
  }
  return (
    <SelectField
      label={t("agents.model")}
      value={choice.model}
      options={[
        { value: "", text: t("agents.choose_model") },
        ...rows.map((row) => ({ value: row.name, text: modelText(row) })),
      ]}
      problem={problem}
      onChange={onModel}
    />
  );
}

function modelText({ name, window, price, native_tools }: ModelRow): string {
  const facts = [
    t("agents.window", { tokens: formatNumber(window, 0) }),
    ...(price === null ? [t("money.unknown")] : []),
    ...(native_tools ? [] : [t("agents.no_tools")]),
  ];
  return `${name} (${facts.join(", ")})`;
}
