import { useState } from "react";
import { Link } from "wouter";
import type { Proposal } from "../../generated/bindings/Proposal";
import { Button } from "../../design/components/Button";
import { Refusal } from "../../design/components/Refusal";
import { useCommandRefusal } from "../station/useCommandRefusal";
import { useOperation } from "../station/useOperation";
import { t } from "../../locales/i18n";
import styles from "./Decision.module.css";

/** The same action asked for anew: it is judged as things stand now, and waits with a time of its own (U-1207). */
export function AskAgain({ proposal }: { proposal: Proposal }) {
  const ask = useOperation("create_proposal");
  const refusal = useCommandRefusal();
  const [asked, setAsked] = useState<string | null>(null);
  const { operation, input, mission, reason } = proposal;
  const again = () =>
    ask.run(
      // The station takes no proposal without a reason.
      { operation, input, reason: reason === "" ? t("proposal.again_reason") : reason, mission_id: mission },
      ({ id }) => setAsked(id),
    );
  return (
    <div className={styles.buttons}>
      <Button
        data-testid="ask-again"
        title={refusal ?? undefined}
        disabled={refusal !== null || ask.pending || asked !== null}
        onClick={again}
      >
        {t("proposal.again")}
      </Button>
      <p className={styles.told} role="status">
        {asked !== null && <Link href={`/approvals/${asked}`}>{t("proposal.asked_again")}</Link>}
      </p>
      <Refusal error={ask.error} />
    </div>
  );
}
