import { useState } from "react";
import { useLocation } from "wouter";
import { AgentDock } from "../features/agent/AgentDock";
import { Toasts } from "../design/components/Toasts";
import { ErrorBoundary } from "../design/components/ErrorBoundary";
import { lateCode } from "../design/components/late-code";
import { LazyPart } from "../design/components/LazyPart";
import { IncomingRequests } from "../domain/control/IncomingRequests";
import { useLive } from "../domain/station/useLive";
import { t } from "../locales/i18n";
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
import { useScreenAlive } from "./useScreenAlive";
import { useShellKeys } from "./useShellKeys";

const Palette = lateCode(async () => (await SCREENS.Palette()).Palette);

/** The fixed frame of the window: bar, rail, main view, dock, status. */
export function Shell() {
  return (
    // Each part has a boundary of its own. Around them is what would otherwise leave an empty page under STOP ALL.
    <ErrorBoundary area={null}>
      <Frame />
    </ErrorBoundary>
  );
}

function Frame() {
  const mode = useLive((store) => store.mode);
  const lost = useLive((store) => store.time.lost);
  const dock = useDock();
  const [palette, setPalette] = useState(false);
  const [typedAhead] = useState(() => new TypedAhead());
  const [sheet, setSheet] = useState(false);
  const [location] = useLocation();
  useShellKeys(dock.reach, () => {
    if (palette) typedAhead.take();
    else typedAhead.begin();
    setPalette(!palette);
  });
  useLetterKeys(() => setSheet(!sheet));
  useScreenAlive();
  return (
    <div className={styles.shell} data-mode={mode ?? "unknown"} data-lost={lost} data-dock={dock.open}>
      <ErrorBoundary area={t("shell.top_bar")} className={styles.top} isBar>
        <TopBar />
      </ErrorBoundary>
      <ErrorBoundary area={t("nav.title")} className={styles.rail}>
        <Rail dockOpen={dock.open} onDock={dock.toggle} />
      </ErrorBoundary>
      <DockSplit
        open={dock.open}
        main={
          <main className={styles.main} data-region="main" tabIndex={-1}>
            <Banners />
            {palette && (
              <ErrorBoundary area={t("palette.title")}>
                <LazyPart>
                  <Palette typedAhead={typedAhead} onClose={() => setPalette(false)} />
                </LazyPart>
              </ErrorBoundary>
            )}
            {sheet && <ShortcutSheet onClose={() => setSheet(false)} />}
            <div className={styles.view}>
              <ErrorBoundary area={t("shell.view")} shows={location}>
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
      <ErrorBoundary area={t("shell.status_bar")} className={styles.status} isBar>
        <StatusBar onKeys={() => setSheet(!sheet)} />
      </ErrorBoundary>
      <ModeFrame />
    </div>
  );
}

/** Four strips around the window, which say in which mode it is. */
function ModeFrame() {
  return (
    <div className={styles.frame} data-testid="mode-frame" aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}

/** Above the screen: what holds for all of it, each by itself, so that one that fails hides no other. */
function Banners() {
  return Object.entries(BANNERS).map(([name, Part]) => (
    <ErrorBoundary key={name} area={t("shell.notices")}>
      <Part />
    </ErrorBoundary>
  ));
}

const BANNERS = { RemoteBar, Banner, BackBanner, LockBanner, GrantBanner, IncomingRequests };
