import type { Clears } from "../../generated/bindings/Clears";

/** An act of a person that clears a cause: acknowledging it with a reason, or disarming after a look at the robot. */
export type CauseAct = "acknowledge" | "look";

/** The act that clears a cause; null where it ends by itself, with the release of a stop, or never. */
export function causeAct(clears: Clears): CauseAct | null {
  switch (clears) {
    case "on_acknowledge":
      return "acknowledge";
    case "on_disarm":
      return "look";
    case "when_condition_clears":
    case "on_release":
    case "never":
      return null;
  }
}
