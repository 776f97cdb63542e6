import { CheckField } from "../../design/fields/CheckField";
import { t } from "../../locales/i18n";
import styles from "./Missions.module.css";

type EnvelopeBoxesProps = {
  mission: string;
  /** Sentences of the standing approvals that the file asks for, in its order. */
  requests: readonly string[];
  /** Numbers of those that a person grants, from 1. */
  granted: readonly number[];
  onChange: (granted: readonly number[]) => void;
};

/** Every standing approval that a mission asks for, with a box of its own that nobody has ticked (ML-25). */
export function EnvelopeBoxes({ mission, requests, granted, onChange }: EnvelopeBoxesProps) {
  if (requests.length === 0) return null;
  return (
    <fieldset className={styles.warnings} data-testid="activation-envelope">
      <legend>{t("missions.envelope_title")}</legend>
      {requests.map((sentence, at) => {
        const others = granted.filter((number) => number !== at + 1);
        return (
          <CheckField
            // Two requests may read alike; the station knows them by their number.
            key={at}
            label={t("missions.envelope_grant", { sentence })}
            checked={granted.includes(at + 1)}
            testId={`grant-${at + 1}`}
            onChange={(is) => onChange(is ? [...others, at + 1] : others)}
          />
        );
      })}
      <p className={styles.hint}>{t("missions.envelope_means", { mission })}</p>
    </fieldset>
  );
}
