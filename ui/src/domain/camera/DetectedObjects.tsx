import type { DetectedObject } from "../../generated/bindings/DetectedObject";
import { formatNumber } from "../../design/format/numbers";
import { t } from "../../locales/i18n";
import styles from "./DetectedObjects.module.css";

/** A label takes about so much of a small picture's height: it stands above a box where that leaves room. */
const LABEL_SHARE = 0.12;

type ObjectsProps = { objects: readonly DetectedObject[]; width_px: number; height_px: number };

/** The boxes of a detector over the picture that they are in (U-406); a picture is shown as large as its place has room. */
export function DetectedObjects({ objects, width_px, height_px }: ObjectsProps) {
  const ratio = width_px / height_px;
  return (
    <ul
      className={styles.objects}
      aria-label={t("camera.detections")}
      style={{ aspectRatio: ratio, inlineSize: `min(100cqw, ${100 * ratio}cqh)` }}
    >
      {objects.map((object, place) => (
        <li key={place} className={styles.object} style={boxOf(object, width_px, height_px)}>
          <span
            className={styles.label}
            data-above={object.min_px[1] > LABEL_SHARE * height_px || undefined}
            data-leftwards={object.min_px[0] > width_px / 2 || undefined}
          >
            {wordsOf(object)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Share of a side of the picture, 0 to 1. */
const share = (px: number, size_px: number) => Math.min(1, Math.max(0, px / size_px));
const percent = (part: number) => `${(100 * part).toFixed(2)}%`;

/** The place of a box as shares of the picture; what lies outside is cut off. */
export function boxOf({ min_px, max_px }: DetectedObject, width_px: number, height_px: number) {
  const [left, right] = [share(min_px[0], width_px), share(max_px[0], width_px)];
  const [top, bottom] = [share(min_px[1], height_px), share(max_px[1], height_px)];
  return {
    left: percent(left),
    top: percent(top),
    width: percent(right - left),
    height: percent(bottom - top),
  };
}

/** "person 92 %". */
function wordsOf({ label, confidence }: DetectedObject): string {
  const name = label === "" ? t("camera.unnamed") : label;
  return confidence === null ? name : t("camera.object", { name, percent: formatNumber(100 * confidence, 0) });
}
