import type { Proposal } from "../../generated/bindings/Proposal";
import { formatPosition, formatQuantity } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import styles from "./Preview.module.css";
import { PreviewPlan } from "./PreviewPlan";

/** Predicted motion: start, end, length, duration and clearance, and the certainty of the prediction. */
export function Preview({ preview }: { preview: NonNullable<Proposal["preview"]> }) {
  const facts = [
    { name: t("preview.from"), text: formatPosition(preview.from) },
    { name: t("preview.to"), text: formatPosition(preview.to) },
    { name: t("preview.frame"), text: preview.frame },
    { name: t("preview.length"), text: formatQuantity(preview.length_m, 2, "m") },
    { name: t(`preview.duration_${preview.kind}`), text: formatQuantity(preview.duration_s, 1, "s") },
    { name: t("preview.clearance"), text: formatQuantity(preview.clearance_m, 2, "m") },
  ];
  return (
    <section className={styles.preview} aria-label={t("preview.title")}>
      <PreviewPlan from={preview.from} to={preview.to} />
      <div className={styles.words}>
        <dl className={styles.facts}>
          {facts.map(({ name, text }) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.note}>
          {t(`preview.${preview.kind}`)} {t("preview.stop_halfway")}
        </p>
      </div>
    </section>
  );
}
