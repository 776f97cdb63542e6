import { ReasonForm } from "../../design/fields/ReasonForm";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";

type ForceFormProps = { robot: string; name: string; refusal: string | null; onGone: () => void };

/** Takes control from another person, who is not asked: Admin, with a reason that is kept (U-704). */
export function ForceForm({ robot, name, refusal, onGone }: ForceFormProps) {
  const force = useOperation("force_control");
  return (
    <ReasonForm
      label={t("control.force_why", { name })}
      act={t("control.do_force")}
      testId={`force-form-${robot}`}
      refusal={refusal}
      call={force}
      onSubmit={(reason) => force.run({ robot, reason })}
      onGone={onGone}
    />
  );
}
