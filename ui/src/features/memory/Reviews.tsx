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
import type { Stamped } from "../../domain/station/useRows";
import { t } from "../../locales/i18n";
import { AreaField } from "./AreaField";
import styles from "./Memory.module.css";
import { ReviewDiff } from "./ReviewDiff";

/** Changes of memory that rest on untrusted text: none of them counts until a person has reviewed it. */
export function Reviews({ reviews }: { reviews: UseQueryResult<Stamped<MemoryReviewRow[]>> }) {
  const [message, setMessage] = useState<string | null>(null);
  const top = useRef<HTMLDivElement>(null);
  const decided = (said: string) => {
    setMessage(said);
    top.current?.focus();
  };
  return (
    <div ref={top} tabIndex={-1} className={styles.reviews}>
      {message !== null && (
        <p className={styles.partial} role="status">
          {message}
        </p>
      )}
      <Rows query={reviews} what={t("memory.reviews_title")}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Panel title={t("memory.reviews_title")}>
              <Notice title={t("review.none")} detail={t("review.none_detail")} />
            </Panel>
          ) : (
            rows.map((row) => <Review key={row.id} row={row} onDecided={decided} />)
          )
        }
      </Rows>
    </div>
  );
}

function Review({ row, onDecided }: { row: MemoryReviewRow; onDecided: (message: string) => void }) {
  const [edited, setEdited] = useState<string | null>(null);
  const decide = useOperation("decide_memory_review");
  const refusal = useCommandRefusal();
  const blocked = refusal !== null || decide.pending;
  const answer = (accept: boolean, words?: string) =>
    decide.run({ id: row.id, accept, ...(words === undefined ? {} : { edited: words }) }, ({ message }) =>
      onDecided(message),
    );
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
              {decide.pending ? t("hold.sending") : t("review.accept")}
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
              {decide.pending ? t("hold.sending") : t("review.accept_edited")}
            </Button>
            <Button look="quiet" onClick={() => setEdited(null)}>
              {t("safety.cancel")}
            </Button>
          </>
        )}
        <span className={styles.hint}>{refusal ?? t("review.means")}</span>
        <div className={styles.wide}>
          <Refusal error={decide.error} />
        </div>
      </div>
    </Panel>
  );
}
