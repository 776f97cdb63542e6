import { useState } from "react";
import { Button } from "../../design/components/Button";
import { Panel } from "../../design/layout/Panel";
import forms from "../../design/fields/forms.module.css";
import { ReasonForm } from "../../design/fields/ReasonForm";
import { differenceTexts } from "../../domain/audit/audit-sentences";
import { useAdminRefusal } from "../../domain/station/useAdminRefusal";
import { useOperation } from "../../domain/station/useOperation";
import { useRows } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import sections from "./sections.module.css";

/** The difference between the audit and what was written, while there is one, and its acceptance by an Admin. */
export function AuditNotice() {
  const { data } = useRows("safety", "audit_state", {});
  const state = data?.rows;
  if (state === undefined || (state.checked && state.found.length === 0)) return null;
  return (
    <Panel title={t("audit.notice")}>
      <p className={sections.line} role="alert">
        <strong>{t(state.found.length === 0 ? "audit.unchecked" : "audit.differs")}</strong>
      </p>
      <ul className={sections.line} data-testid="audit-found">
        {differenceTexts(state).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {state.found.length > 0 && state.checked && <Accept found={state.found} />}
    </Panel>
  );
}

/** Acceptance of the differences shown when the form was opened: a later one is shown, and refused. */
function Accept({ found }: { found: string[] }) {
  const [seen, setSeen] = useState<string[] | null>(null);
  const open = seen !== null;
  const accept = useOperation("accept_audit");
  const refusal = useAdminRefusal();
  return (
    <div className={sections.line}>
      <p className={forms.act}>
        <Button
          data-testid="accept-audit"
          aria-expanded={open}
          disabled={refusal !== null && !open}
          onClick={() => setSeen(open ? null : found)}
        >
          {t(open ? "safety.cancel" : "audit.accept")}
        </Button>
        <span className={forms.hint}>{refusal}</span>
      </p>
      {open && (
        <ReasonForm
          label={t("audit.why_accept")}
          act={t("audit.do_accept")}
          testId="accept-audit-form"
          refusal={refusal}
          call={accept}
          // What was seen, not what is found now: nobody accepts a difference that came while they wrote.
          onSubmit={(reason) => accept.run({ reason, found: seen })}
          onGone={() => setSeen(null)}
        />
      )}
    </div>
  );
}
