import { useState } from "react";
import { Button } from "../../design/components/Button";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import forms from "../../design/fields/forms.module.css";
import styles from "./StateSection.module.css";

type EscapeArmingProps = { robot: string; onGone: () => void };

/** Arms a robot that stands where it may not be, for nothing but the slow way out, which a person commands. */
export function EscapeArming({ robot, onGone }: EscapeArmingProps) {
  const [open, setOpen] = useState(false);
  const arm = useOperation("arm_robot");
  const refusal = useCommandRefusal();
  return (
    <div className={styles.line}>
      <p className={forms.act}>
        <Button
          data-testid="escape"
          aria-expanded={open}
          disabled={refusal !== null && !open}
          onClick={() => setOpen(!open)}
        >
          {t(open ? "safety.cancel" : "escape.open")}
        </Button>
        <span className={forms.hint}>{refusal ?? t("escape.about")}</span>
      </p>
      {open && (
        <ReasonForm
          label={t("escape.why")}
          act={t("escape.arm")}
          testId="escape-form"
          refusal={refusal}
          call={arm}
          // The same call as arming: for a robot that stands where it may not be it means the way out.
          onSubmit={(reason) => arm.run({ robot, reason })}
          onGone={onGone}
        />
      )}
    </div>
  );
}
