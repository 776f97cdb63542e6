import { Button } from "../../design/components/Button";
import { t } from "../../locales/i18n";
import { useHints } from "../../design/shortcuts/keys-in-force";
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
  const hints = useHints();
  return (
    <span className={styles.zoom}>
      <Button
        aria-label={t("timeline.zoom_out")}
        title={hints.title("timeline_zoom_out")}
        disabled={whole}
        onClick={() => onZoom(1 / ZOOM_STEP)}
      >
        −
      </Button>
      <Button
        aria-label={t("timeline.zoom_in")}
        title={hints.title("timeline_zoom_in")}
        onClick={() => onZoom(ZOOM_STEP)}
      >
        +
      </Button>
      <Button title={hints.title("timeline_fit")} disabled={whole} onClick={onFit}>
        {t("timeline.fit")}
      </Button>
    </span>
  );
}
