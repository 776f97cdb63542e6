import type { MissionChange } from "../../generated/bindings/MissionChange";
import { t } from "../../locales/i18n";
import { changeText } from "./mission-phrase";
import styles from "./MissionChanges.module.css";

type MissionChangesProps = {
  changes: readonly MissionChange[];
  /** True if nobody has activated the mission before. */
  isFirst: boolean;
  /** Sentences at most; the number of the others is said. */
  most?: number;
};

/** The differences from what was activated last: what a person approves with an activation (ME-13). */
export function MissionChanges({ changes, isFirst, most = changes.length }: MissionChangesProps) {
  if (changes.length === 0) return <p data-testid="activation-changes">{t("missions.means_same")}</p>;
  const shown = changes.slice(0, most);
  return (
    <section data-testid="activation-changes">
      <strong>{t(isFirst ? "missions.means_first" : "missions.means_other")}</strong>
      <ul className={styles.list}>
        {shown.map((change, at) => (
          <li key={at} className={styles.change} data-kind={change.kind}>
            <span className={styles.kind}>{t(`mission_change.${change.kind}`)}</span> {changeText(change)}
            {change.role_needed === "admin" && <span className={styles.hint}> {t("missions.by_admin")}</span>}
          </li>
        ))}
      </ul>
      {shown.length < changes.length && (
        <p className={styles.hint}>{t("missions.changes_unlisted", { count: changes.length - shown.length })}</p>
      )}
    </section>
  );
}
