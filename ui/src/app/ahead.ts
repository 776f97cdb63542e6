// Code that follows the first screen, loaded before somebody asks for it.

import { useEffect } from "react";

/** Only Overview comes with the window; the code of the others, and of models' markdown, follows once it is on screen (U-2608). */
export const SCREENS = {
  Admin: () => import("../features/admin/Admin"),
  Alarms: () => import("../features/alarms/Alarms"),
  Approvals: () => import("../features/approvals/Approvals"),
  Beliefs: () => import("../features/beliefs/Beliefs"),
  Jobs: () => import("../features/jobs/Jobs"),
  Memory: () => import("../features/memory/Memory"),
  Missions: () => import("../features/missions/Missions"),
  Welcome: () => import("../features/welcome/Welcome"),
  DeniedPage: () => import("../features/safety/DeniedPage"),
  CommissioningPage: () => import("../features/safety/commissioning/CommissioningPage"),
  GoalPage: () => import("../features/safety/goal/GoalPage"),
  Safety: () => import("../features/safety/Safety"),
  Stations: () => import("../features/stations/Stations"),
  World: () => import("../features/world/World"),
  Palette: () => import("./palette/Palette"),
  Markdown: () => import("../design/markdown/Markdown"),
};

/** Overview is drawn by then on a slow computer, ms. */
const FETCH_AFTER_MS = 1_000;

/** Loads the screens ahead, so that going to one waits for nothing. */
export function useScreensAhead(): void {
  // Synchronises with the network: what cannot be loaded now is loaded when somebody goes there.
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of Object.values(SCREENS)) load().catch(() => undefined);
    }, FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
