import { Refusal } from "../../design/components/Refusal";
import { t } from "../../locales/i18n";
import { zonedText } from "./job-time";
import styles from "./SchedulePreviewBox.module.css";
import type { PreviewAnswer } from "./usePreview";

/** The schedule in words, and its next times in the job's zone and in UTC. */
export function SchedulePreviewBox({ preview: { preview, words, error } }: { preview: PreviewAnswer }) {
  return (
    <div className={styles.preview} aria-live="polite" data-testid="preview">
      <Refusal error={error} />
      {preview && (
        <>
          <p className={styles.words}>
            {words} {!words.includes(preview.time_zone) && <span className={styles.zone}>{preview.time_zone}</span>}
          </p>
          {preview.next.length === 0 && <p>{t("jobs.never")}</p>}
          <ol>
            {preview.next.map(({ local, utc }) => (
              <li key={utc} className={styles.time}>
                <span>{zonedText(local, preview.time_zone)}</span>
                <span className={styles.zone}>{utc}</span>
              </li>
            ))}
          </ol>
        </>
      )}
      {!preview && !error && <p className={styles.zone}>{t("jobs.preview_soon")}</p>}
    </div>
  );
}
