// Refusal of a control that only an Admin may use.

import { t } from "../../locales/i18n";
import { useCommandRefusal } from "./useCommandRefusal";
import { useLive } from "./useLive";

/** The reason as a sentence, or null where an Admin is acting (U-107, U-210). */
export function useAdminRefusal(): string | null {
  const commands = useCommandRefusal();
  const role = useLive((store) => store.session?.role);
  if (commands !== null) return commands;
  return role === "admin" ? null : t("refusal.needs_admin");
}
