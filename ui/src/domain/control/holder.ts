// Holder of control of a robot, as this desk sees it.

import type { ControlHolder } from "../../generated/bindings/ControlHolder";
import type { DeskKind } from "../../generated/bindings/DeskKind";
import { t } from "../../locales/i18n";

/** `alone` is false for who armed the robot without taking it: approved actions of the agent pass then. */
export type Holding =
  | { by: "you"; alone: boolean }
  | { by: "other"; session: string; name: string; desk: DeskKind }
  | { by: "agent"; id: string }
  | { by: "local" }
  | { by: "nobody" }
  | { by: "unknown" };

/** The holder as seen by a session: the same person at another desk is somebody else. */
export function holdingOf(holder: ControlHolder, session: string | undefined): Holding {
  if (typeof holder === "string") return { by: holder };
  if ("agent" in holder) return { by: "agent", id: holder.agent.id };
  const { person } = holder;
  // Names are not unique, and one person may sit at two desks: only the session tells.
  return person.session === session
    ? { by: "you", alone: person.exclusive }
    : { by: "other", session: person.session, name: person.name, desk: person.desk };
}

/** The holder in the words of the chip (U-701). */
export function holdingText(holding: Holding): string {
  switch (holding.by) {
    case "you":
      return t(holding.alone ? "control.you" : "control.you_shared");
    case "other":
      return t("control.other", { name: holding.name, desk: t(`desk_kind.${holding.desk}`) });
    case "agent":
      return t("control.agent");
    case "local":
      return t("control.local");
    case "nobody":
      return t("control.nobody");
    case "unknown":
      return t("control.unknown");
  }
}

/** One word, where there is no room for more. */
export function holdingWord(holding: Holding): string {
  return t(`control_word.${holding.by}`);
}
