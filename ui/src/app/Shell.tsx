import { lazy, useEffect, useState } from "react";
import { AgentDock } from "../features/agent/AgentDock";
import { Toasts } from "../design/components/Toasts";
import { ErrorBoundary } from "../design/components/ErrorBoundary";
import { LazyPart } from "../design/components/LazyPart";
import { IncomingRequests } from "../domain/control/IncomingRequests";
import { useLive } from "../domain/station/useLive";
import { t } from "../locales/i18n";
import { operation } from "../host/operations";
import { useStation } from "../domain/station/station-context";
import { SCREENS } from "./ahead";
import { BackBanner } from "./back/BackBanner";
import { Banner } from "./Banner";
import { DockSplit } from "./DockSplit";
import { GrantBanner } from "./GrantBanner";
import { LockBanner } from "./LockBanner";
import { TypedAhead } from "./palette/typed-ahead";
import { Rail } from "./Rail";
import { RemoteBar } from "./RemoteBar";
import { Routes } from "./Routes";
import styles from "./Shell.module.css";
import { ShortcutSheet } from "./ShortcutSheet";
import { StatusBar } from "./StatusBar";
import { TopBar } from "./TopBar";
import { useDock } from "./useDock";
import { useLetterKeys } from "./useLetterKeys";
import { useShellKeys } from "./useShellKeys";

const Palette = lazy(() => SCREENS.Palette().then((module) => ({ default: module.Palette })));

/** The fixed frame of the window: bar, rail, main view, dock, status. */
export function Shell() {
  const mode = useLive((store) => store.mode);
  const lost = useLive((store) => store.time.lost);
  const dock = useDock();
  const [palette, setPalette] = useState(false);
  const [typedAhead] = useState(() => new TypedAhead());
  const [sheet, setSheet] = useState(false);
  useShellKeys(dock.reach, () => {
    if (palette) typedAhead.take();
    else typedAhead.begin();
    setPalette(!palette);
  });
  useLetterKeys(() => setSheet(!sheet));
  useScreenAlive();
  return (
    <div className={styles.shell} data-mode={mode ?? "unknown"} data-lost={lost} data-dock={dock.open}>
      <TopBar />
      <Rail dockOpen={dock.open} onDock={dock.toggle} />
      <DockSplit
        open={dock.open}
        main={
          <main className={styles.main} data-region="main" tabIndex={-1}>
            <RemoteBar />
            <Banner />
            <BackBanner />
            <LockBanner />
            <GrantBanner />
            <IncomingRequests />
            {palette && (
              <LazyPart>
                <Palette typedAhead={typedAhead} onClose={() => setPalette(false)} />
              </LazyPart>
            )}
            {sheet && <ShortcutSheet onClose={() => setSheet(false)} />}
            <div className={styles.view}>
              <ErrorBoundary area={t("shell.view")}>
                <Routes />
              </ErrorBoundary>
            </div>
          </main>
        }
        dock={
          <aside
            className={styles.dock}
            data-region="dock"
            tabIndex={-1}
            hidden={!dock.open}
            aria-label={t("agent.title")}
            onKeyDown={dock.onKeyDown}
          >
            <ErrorBoundary area={t("agent.title")}>
              <AgentDock />
            </ErrorBoundary>
          </aside>
        }
      />
      <Toasts />
      <StatusBar onKeys={() => setSheet(!sheet)} />
      <div className={styles.frame} data-testid="mode-frame" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}

/** By timer, not by frame: a window behind another one counts, a frozen one does not (U-613). */
const EVERY_MS = 1_000;

/** Says so as long as the component that uses it is mounted. */
function useScreenAlive(): void {
  const { host } = useStation();

  // Synchronises with the station's watch over its screens.
  useEffect(() => {
    const say = () => {
      // A station that is away is shown by the banner; there is nothing else to do about it here.
      operation(host, "screen_alive", {}).catch(() => undefined);
    };
    say();
    const timer = setInterval(say, EVERY_MS);
    return () => clearInterval(timer);
  }, [host]);
}
