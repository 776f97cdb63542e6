import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import { hintOf } from "../../design/shortcuts/shortcuts";
import styles from "./Timeline.module.css";
import { ZOOM_STEP } from "./timeline-view";

/** Closer, further, and all of it. */
export function TimelineZoom({
  whole,
  onZoom,
  onFit,
}: {
  whole: boolean;
  onZoom: (factor: number) => void;
  onFit: () => void;
}) {
  return (
    <span className={styles.zoom}>
      <Button
        aria-label={t("timeline.zoom_out")}
        title={hintOf("timeline_zoom_out")}
        disabled={whole}
        onClick={() => onZoom(1 / ZOOM_STEP)}
      >
        −
      </Button>
      <Button aria-label={t("timeline.zoom_in")} title={hintOf("timeline_zoom_in")} onClick={() => onZoom(ZOOM_STEP)}>
        +
      </Button>
      <Button title={hintOf("timeline_fit")} disabled={whole} onClick={onFit}>
        {t("timeline.fit")}
      </Button>
    </span>
  );
}
