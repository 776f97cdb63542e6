import { Panel } from "../../shared/components/Panel";
import { STOP_SHORTCUT } from "../../shared/format/stop-shortcut";
import { useLive } from "../../shared/hooks/useLive";
import { t } from "../../shared/i18n";
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
