// Count of robots that open stops hold, of all: the text on a screen while a stop is open.

import { type Standing, standingOf } from "../stop/open-stops";
import { t } from "../../locales/i18n";
import { useLive } from "../station/useLive";

/** Null while no stop is open. */
export function useStanding(): Standing | null {
  const stops = useLive((store) => store.stops);
  const safety = useLive((store) => store.safety);
  return standingOf(stops, safety.keys());
}

/** "1 of 4 robots stopped"; who has not confirmed a stop comes first. */
export function standingText({ acked, not_confirmed, total }: Standing): string {
  if (not_confirmed > 0) return t("stopped.not_confirmed", { open: not_confirmed, count: total });
  return acked === total ? t("stopped.all", { count: total }) : t("stopped.some", { acked, count: total });
}
