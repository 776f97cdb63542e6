import type { UseQueryResult } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { MemoryReviewRow } from "../../generated/bindings/MemoryReviewRow";
import { Button } from "../../design/components/Button";
import { Notice } from "../../design/components/Notice";
import { Panel } from "../../design/layout/Panel";
import { Refusal } from "../../design/components/Refusal";
import { Rows } from "../../design/components/Rows";
import { formatMoment } from "../../design/format/time";
import { useCommandRefusal } from "../../domain/station/useCommandRefusal";
import { useOperation } from "../../domain/station/useOperation";
import type { HostError } from "../../host/host";
import type { Stamped } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { AreaField } from "./AreaField";
import styles from "./Memory.module.css";
import { ReviewDiff } from "./ReviewDiff";

/** Changes of memory that rest on untrusted text: none of them counts until a person has reviewed it. */
export function Reviews({ reviews }: { reviews: UseQueryResult<Stamped<MemoryReviewRow[]>> }) {
  const [message, setMessage] = useState<string | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const decision = useDecision((said) => {
    setMessage(said);
    top.current?.focus();
  });
  const isGone = decision.of !== null && !reviews.data?.rows.some(({ id }) => id === decision.of);
  return (
    <div ref={top} tabIndex={-1} className={styles.reviews}>
      {message !== null && (
        <p className={styles.partial} role="status">
          {message}
        </p>
      )}
      {isGone && <Refusal error={decision.error} />}
      <Rows query={reviews} what={t("memory.reviews_title")}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Panel title={t("memory.reviews_title")}>
              <Notice title={t("review.none")} detail={t("review.none_detail")} />
            </Panel>
          ) : (
            rows.map((row) => <Review key={row.id} row={row} decision={decision} />)
          )
        }
      </Rows>
    </div>
  );
}

/** The decision on one record at a time: the record that it is about, and the call. */
type Decision = {
  of: string | null;
  pending: boolean;
  error: HostError | null;
  /** `words` are those of a person in the place of the agent's. */
  decide: (id: string, accept: boolean, words?: string) => void;
};

/** For the list: a record is gone before the answer comes, and could not pass it on. */
function useDecision(onDecided: (message: string) => void): Decision {
  const [of, setOf] = useState<string | null>(null);
  const call = useOperation("decide_memory_review");
  const decide = (id: string, accept: boolean, words?: string) => {
    call.forget();
    // Before the call: its refusal belongs to this record from the start.
    setOf(id);
    call.run({ id, accept, ...(words === undefined ? {} : { edited: words }) }, ({ message }) => onDecided(message));
  };
  return { of, pending: call.pending, error: call.error, decide };
}

function Review({ row, decision }: { row: MemoryReviewRow; decision: Decision }) {
  const [edited, setEdited] = useState<string | null>(null);
  const refusal = useCommandRefusal();
  const isThis = decision.of === row.id;
  const isSent = isThis && decision.pending;
  const blocked = refusal !== null || decision.pending;
  const answer = (accept: boolean, words?: string) => decision.decide(row.id, accept, words);
  return (
    <Panel
      title={t("review.title", { target: row.target })}
      aside={t("review.asked", { when: formatMoment(row.created_at * 1_000) })}
    >
      <p className={styles.line}>
        <span className={styles.hint}>
          {t("review.from")} <code>{JSON.stringify(row.provenance)}</code>
        </span>
      </p>
      <ReviewDiff before={row.before} after={edited ?? row.after} />
      {edited !== null && (
        <div className={styles.line}>
          <AreaField label={t("review.words")} value={edited} testId="review-edited" onChange={setEdited} />
        </div>
      )}
      <div className={styles.form} data-testid={`review-${row.id}`}>
        {edited === null ? (
          <>
            <Button data-testid="review-accept" disabled={blocked} onClick={() => answer(true)}>
              {isSent ? t("hold.sending") : t("review.accept")}
            </Button>
            <Button data-testid="review-edit" disabled={blocked} onClick={() => setEdited(row.after)}>
              {t("review.edit")}
            </Button>
            <Button data-testid="review-reject" disabled={blocked} onClick={() => answer(false)}>
              {t("review.reject")}
            </Button>
          </>
        ) : (
          <>
            <Button
              data-testid="review-accept-edited"
              disabled={blocked || edited.trim() === ""}
              onClick={() => answer(true, edited.trim())}
            >
              {isSent ? t("hold.sending") : t("review.accept_edited")}
            </Button>
            <Button look="quiet" onClick={() => setEdited(null)}>
              {t("safety.cancel")}
            </Button>
          </>
        )}
        <span className={styles.hint}>{refusal ?? t("review.means")}</span>
        <div className={styles.wide}>
          <Refusal error={isThis ? decision.error : null} />
        </div>
      </div>
    </Panel>
  );
}
