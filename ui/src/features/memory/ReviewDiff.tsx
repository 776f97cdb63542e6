import { t } from "../../locales/i18n";
import styles from "./Memory.module.css";
import { wordDiff } from "./word-diff";

/** Before and after beside each other; what changed is struck out there and underlined here. */
export function ReviewDiff({ before, after }: { before: string | null; after: string }) {
  const pieces = wordDiff(before ?? "", after);
  return (
    <div className={styles.diff}>
      <div className={styles.side} data-testid="review-before">
        <h3>{t("review.before")}</h3>
        {before === null
          ? t("review.nothing")
          : pieces
              .filter(({ kind }) => kind !== "added")
              .map(({ kind, text }, place) =>
                kind === "removed" ? <del key={place}>{text}</del> : <span key={place}>{text}</span>,
              )}
      </div>
      <div className={styles.side} data-testid="review-after">
        <h3>{t("review.after")}</h3>
        {pieces
          .filter(({ kind }) => kind !== "removed")
          .map(({ kind, text }, place) =>
            kind === "added" ? <ins key={place}>{text}</ins> : <span key={place}>{text}</span>,
          )}
      </div>
    </div>
  );
}
