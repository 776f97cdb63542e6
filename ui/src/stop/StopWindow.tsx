import type { Host } from "../host/host";
import type { LiveStore } from "../host/live-store";
import { useLanguage } from "../host/language";
import { StopButton } from "./StopButton";
import styles from "./StopWindow.module.css";
import type { StopView } from "./stop-view";
import { words } from "./strings";
import { useStopKeys } from "./useStopKeys";
import { useStopPress } from "./useStopPress";
import { useStopView } from "./useStopView";

/** The small window above all others: it stops, and shows what became of it (U-604). */
export function StopWindow({ host, store }: { host: Host; store: LiveStore }) {
  const { press, stop } = useStopPress(host, store);
  const view = useStopView(store, press);
  const language = useLanguage();
  useStopKeys(stop);
  return (
    <main key={language} className={styles.window} data-testid="stop-window">
      <StopButton view={view} place="window" onStop={stop} />
      <p className={styles.words} role="status">
        {textOf(view)}
      </p>
    </main>
  );
}

function textOf(view: StopView): string {
  if (view.state === "failed") return words().failed(view.sentence);
  return view.state === "undelivered" ? words().undelivered(view.station) : words().smallWindow;
}
