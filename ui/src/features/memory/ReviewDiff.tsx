import { t } from "../../locales/i18n";
import { ShownText } from "./ShownText";
import styles from "./Memory.module.css";
import { wordDiff } from "./word-diff";

/**
 * Before and after beside each other; what changed is struck out there and underlined here. A person decides on it, so
 * that nothing in it may be out of sight.
 */
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
                kind === "removed" ? (
                  <del key={place}>
                    <ShownText text={text} />
                  </del>
                ) : (
                  <ShownText key={place} text={text} />
                ),
              )}
      </div>
      <div className={styles.side} data-testid="review-after">
        <h3>{t("review.after")}</h3>
        {pieces
          .filter(({ kind }) => kind !== "removed")
          .map(({ kind, text }, place) =>
            kind === "added" ? (
              <ins key={place}>
                <ShownText text={text} />
              </ins>
            ) : (
              <ShownText key={place} text={text} />
            ),
          )}
      </div>
    </div>
  );
}
