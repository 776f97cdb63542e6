// Refusal of a control that commands.

import { t } from "../../locales/i18n";
import { useLive } from "./useLive";

/** The reason as a sentence, or null where commands may be given (U-107, U-210). */
export function useCommandRefusal(): string | null {
  const lost = useLive((store) => store.time.lost || store.time.now_ms === null);
  const role = useLive((store) => store.session?.role);
  const locked = useLive((store) => store.session?.locked === true);
  if (lost) return t("refusal.station_lost");
  if (locked) return t("refusal.locked");
  switch (role) {
    case undefined:
      return t("refusal.no_session");
    case "viewer":
      return t("refusal.needs_operator");
    case "operator":
    case "admin":
      return null;
  }
}
