import { useState } from "react";
import type { CauseRow } from "../../generated/bindings/CauseRow";
import { Button } from "../../design/components/Button";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import forms from "../../design/fields/forms.module.css";
import styles from "./StateSection.module.css";

type RecommissionProps = { robot: string; causes: readonly CauseRow[]; onGone: () => void };

/** Puts a locked robot into service again: an Admin, and what was done about it. */
export function Recommission({ robot, causes, onGone }: RecommissionProps) {
  const [open, setOpen] = useState(false);
  const recommission = useOperation("recommission");
  const admin = useAdminRefusal();
  // A stop outlasts the lock, and is released afterwards.
  const holds = causes.some(({ present, clears }) => present && clears !== "on_release");
  const refusal = admin ?? (holds ? t("causes.still_holds") : null);
  return (
    <div className={styles.line}>
      <p className={forms.act}>
        <Button
          data-testid="recommission"
          aria-expanded={open}
          disabled={refusal !== null && !open}
          onClick={() => setOpen(!open)}
        >
          {t(open ? "safety.cancel" : "causes.recommission")}
        </Button>
        <span className={forms.hint}>{refusal}</span>
      </p>
      {open && (
        <ReasonForm
          label={t("causes.why_recommission")}
          act={t("causes.do_recommission")}
          testId="recommission-form"
          refusal={refusal}
          call={recommission}
          onSubmit={(reason) => recommission.run({ robot, reason })}
          onGone={onGone}
        />
      )}
    </div>
  );
}
