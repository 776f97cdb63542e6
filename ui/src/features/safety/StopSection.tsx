import { Panel } from "../../design/layout/Panel";
import { STOP_SHORTCUT } from "../../domain/stop/stop-shortcut";
import { useLive } from "../../domain/station/useLive";
import { t } from "../../locales/i18n";
import styles from "./sections.module.css";

/** What stops all robots without this window (U-1609). */
export function StopSection() {
  const shortcut = useLive((store) => store.session?.stop_shortcut ?? null);
  if (shortcut === null) return null;
  return (
    <Panel title={t("safety.stop_ways")}>
      <p className={styles.line} data-testid="stop-ways">
        {STOP_SHORTCUT[shortcut]}
      </p>
    </Panel>
  );
}
