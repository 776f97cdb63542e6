import { useRef, useState } from "react";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../shared/components/Button";
import { Panel } from "../../shared/components/Panel";
import forms from "../../shared/fields/forms.module.css";
import { ReasonForm } from "../../shared/fields/ReasonForm";
import { useAdminRefusal } from "../../shared/hooks/useAdminRefusal";
import { useLive } from "../../shared/hooks/useLive";
import { useOperation } from "../../shared/hooks/useOperation";
import { t } from "../../shared/i18n";
import { untilText } from "../../shared/safety/grants";
import { GrantForm } from "./GrantForm";
import styles from "./StateSection.module.css";

/**
 * Whether an Admin lets the robot move though its set of limits is not complete: for an hour at most, and ended at any
 * time.
 */
export function UnconstrainedSection({ robot: { id } }: { robot: RobotRow }) {
  const left = useLive(({ safety, time }) =>
    untilText(safety.get(id)?.unconstrained_until_mono_ms ?? null, time.now_ms),
  );
  const [open, setOpen] = useState(false);
  const word = useRef<HTMLParagraphElement>(null);
  const grant = useOperation("grant_unconstrained");
  const refusal = useAdminRefusal();
  const inForce = left !== null;
  const back = () => word.current?.focus();
  const close = () => setOpen(false);
  return (
    <Panel title={t("unconstrained.title", { robot: id })}>
      <p
        ref={word}
        tabIndex={-1}
        className={styles.line}
        role="status"
        data-testid="unconstrained"
        data-in-force={inForce}
      >
        {inForce ? <strong>{t("unconstrained.in_force", { robot: id, left })}</strong> : t("unconstrained.none")}
      </p>
      <div className={`${styles.line} ${forms.column}`}>
        <p className={forms.act}>
          <Button
            data-testid="unconstrained-open"
            aria-expanded={open}
            disabled={refusal !== null && !open}
            onClick={() => setOpen(!open)}
          >
            {t(open ? "safety.cancel" : inForce ? "unconstrained.end" : "unconstrained.open")}
          </Button>
          <span className={forms.hint}>{refusal}</span>
        </p>
        {open && inForce && (
          <ReasonForm
            label={t("unconstrained.end_why")}
            act={t("unconstrained.do_end")}
            testId="unconstrained-end"
            refusal={refusal}
            call={grant}
            onSubmit={(reason) => grant.run({ robot: id, minutes: 0, reason }, close)}
            onGone={back}
          />
        )}
        {open && !inForce && (
          <GrantForm
            robot={id}
            refusal={refusal}
            call={grant}
            onGrant={(minutes, reason) => grant.run({ robot: id, minutes, reason }, close)}
            onGone={back}
          />
        )}
      </div>
    </Panel>
  );
}
