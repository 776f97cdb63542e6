import { t } from "../../locales/i18n";
import type { Mark, MarkShape } from "./belief-marks";
import { MarkShapeIcon } from "./MarkShapeIcon";
import styles from "./Timeline.module.css";

const ORDER: readonly MarkShape[] = [
  "created",
  "confirmed",
  "contradicted",
  "replaced",
  "operator",
  "pin",
  "challenged",
];

/** Legend of the shapes on the line; only of those that are there. */
export function TimelineLegend({ marks }: { marks: readonly Mark[] }) {
  const there = new Set(marks.map(({ shape }) => shape));
  return (
    <ul className={styles.legend}>
      {ORDER.filter((shape) => there.has(shape)).map((shape) => (
        <li key={shape}>
          <MarkShapeIcon shape={shape} /> {t(`mark.${shape}`)}
        </li>
      ))}
      <li>
        <svg className={styles.swatch} viewBox="0 0 24 12" aria-hidden="true">
          <path className={styles.coming} d="M0 6H24" />
        </svg>
        {t("timeline.to_come")}
      </li>
    </ul>
  );
}
