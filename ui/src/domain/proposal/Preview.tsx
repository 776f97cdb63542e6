import type { Proposal } from "../../generated/bindings/Proposal";
import { Figure } from "../../design/components/Card";
import { formatNumber, formatPosition } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import styles from "./Preview.module.css";

/** Predicted motion in figures: duration, length and clearance, its ends, and the certainty of the prediction. */
export function Preview({ preview }: { preview: NonNullable<Proposal["preview"]> }) {
  const ends = [
    { name: t("preview.from"), text: formatPosition(preview.from) },
    { name: t("preview.to"), text: formatPosition(preview.to) },
    { name: t("preview.frame"), text: preview.frame },
  ];
  return (
    <section className={styles.preview} aria-label={t("preview.title")}>
      <div className={styles.figures}>
        <Figure value={formatNumber(preview.duration_s, 1)} unit="s" about={t(`preview.duration_${preview.kind}`)} />
        <Figure value={formatNumber(preview.length_m, 2)} unit="m" about={t("preview.length")} />
        <Figure value={formatNumber(preview.clearance_m, 2)} unit="m" about={t("preview.clearance")} />
      </div>
      <dl className={styles.ends}>
        {ends.map(({ name, text }) => (
          <div key={name} className={styles.end}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        {t(`preview.${preview.kind}`)} {t("preview.stop_halfway")}
      </p>
    </section>
  );
}
