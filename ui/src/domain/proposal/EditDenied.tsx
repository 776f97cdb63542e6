import { useEffect, useRef } from "react";
import type { CommandOutcome } from "../../generated/bindings/CommandOutcome";
import { t } from "../../locales/i18n";
import { verdictSaid } from "../verdict/item-words";
import { isArbitration } from "../verdict/denial-facts";
import { DenialControl } from "../verdict/DenialControl";
import { LimitsTable } from "../verdict/LimitsTable";
import styles from "./EditForm.module.css";

/** Denial of the edited numbers, under the numbers themselves. */
export function EditDenied({ outcome: { sentence, explanation, verdict } }: { outcome: CommandOutcome }) {
  const { text, more } = verdictSaid(sentence, verdict, explanation);
  const place = useRef<HTMLDivElement>(null);

  // Synchronises with the scrolling of the card: an answer below its edge would look like none.
  useEffect(() => {
    // In newer browsers this gives a promise, which an effect must not return.
    void place.current?.scrollIntoView({ block: "nearest" });
  }, []);

  return (
    <div ref={place} role="status" data-testid="edit-denied">
      <p className={styles.denied}>{t("edit.denied", { sentence: text })}</p>
      {more !== null && (
        <p className={styles.denied} lang="en">
          {more}
        </p>
      )}
      {isArbitration(explanation) && <DenialControl robot={verdict.robot} />}
      <LimitsTable rows={explanation} compact />
    </div>
  );
}
