import { useRef, useState } from "react";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import forms from "../../design/fields/forms.module.css";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useLive } from "../../domain/station/useLive";
import { useOperation } from "../../domain/station/useOperation";
import { t } from "../../locales/i18n";
import { untilText } from "../../domain/station/grants";
import { GrantForm } from "./GrantForm";
import styles from "./StateSection.module.css";

/** Permission by an Admin for a robot to move despite incomplete limits: an hour at most, ended at any time. */
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
            // No minutes end it: the station has one operation for both.
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
