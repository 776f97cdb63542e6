import { useState } from "react";
import type { AuditCheck } from "../../generated/bindings/AuditCheck";
import type { AuditSigning } from "../../generated/bindings/AuditSigning";
import { Button } from "../../design/components/Button";
import { CodeWords } from "../../design/components/CodeWords";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { useLive } from "../station/useLive";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import { faultText, unsignedSaid } from "./audit-sentences";
import sections from "./AuditSection.module.css";

/** Signing of the audit, or the reason that it is unsigned; and a check that it is as it was written. */
export function AuditSection() {
  const verify = useOperation("verify_audit");
  const [check, setCheck] = useState<AuditCheck | null>(null);
  const signing = useLive((store) => store.session?.audit_signing ?? null);
  const lost = useLive((store) => store.time.lost);
  return (
    <Panel
      title={t("audit.title")}
      aside={
        <Button
          data-testid="verify-audit"
          disabled={lost || verify.pending}
          title={lost ? t("refusal.station_lost") : undefined}
          onClick={() => {
            // The result of the last check is not that of this one, which may be refused.
            setCheck(null);
            verify.run({}, setCheck);
          }}
        >
          {verify.pending ? t("hold.sending") : t("audit.verify")}
        </Button>
      }
    >
      {signing && (
        <p className={sections.line} data-testid="audit-signing" data-signed={signing.signed}>
          <strong>{signing.signed ? t("audit.signed") : <Unsigned signing={signing} />}</strong>{" "}
          {signing.public_key !== null && (
            <code className={sections.key}>{t("audit.signed_by", { key: signing.public_key })}</code>
          )}
        </p>
      )}
      <p className={sections.line} role="status" data-testid="audit-check">
        {check && checkText(check)}
      </p>
      <Refusal error={verify.error} />
    </Panel>
  );
}

/** The reason why it is unsigned, with the station's own words where they say more. */
function Unsigned({ signing }: { signing: AuditSigning }) {
  const { text, more } = unsignedSaid(signing);
  return (
    <>
      <CodeWords text={t("audit.unsigned", { reason: text })} />
      {more !== null && (
        <small lang="en">
          {" "}
          <CodeWords text={more} />
        </small>
      )}
    </>
  );
}

function checkText(check: AuditCheck): string {
  const { intact, verified, first_broken_seq, signed_up_to, accepted_up_to } = check;
  if (!intact) {
    const what = faultText(check);
    const broken =
      first_broken_seq === null
        ? t("audit.broken_somewhere", { fault: what })
        : t("audit.broken", { seq: first_broken_seq, fault: what });
    return accepted_up_to === null ? broken : `${broken}, ${t("audit.accepted_up_to", { seq: accepted_up_to })}`;
  }
  const signed = signed_up_to === null ? t("audit.not_signed_yet") : t("audit.signed_up_to", { signed: signed_up_to });
  return `${t("audit.intact", { verified })}, ${signed}`;
}
