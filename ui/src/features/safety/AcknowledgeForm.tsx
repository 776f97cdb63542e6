import type { SafetyCause } from "../../generated/bindings/SafetyCause";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";

type AcknowledgeFormProps = { robot: string; cause: SafetyCause; refusal: string | null; onGone: () => void };

/** Names a cause that is over, and says why it is. */
export function AcknowledgeForm({ robot, cause, refusal, onGone }: AcknowledgeFormProps) {
  const acknowledge = useOperation("acknowledge_cause");
  return (
    <ReasonForm
      label={t("causes.why_over")}
      act={t("causes.do_acknowledge")}
      testId={`acknowledge-form-${cause}`}
      refusal={refusal}
      call={acknowledge}
      onSubmit={(reason) => acknowledge.run({ robot, cause, reason })}
      onGone={onGone}
    />
  );
}
