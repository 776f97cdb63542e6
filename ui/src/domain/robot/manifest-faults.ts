// The faults for which a robot's manifest is refused, in the window's language.

import type { ManifestFault } from "../../generated/bindings/ManifestFault";
import type { RobotRow } from "../../generated/bindings/RobotRow";
import { type Said, codedSaid } from "../../locales/station-words";

/** One for each error of the manifest; the detail is the station's own sentence where its code does not say all of it. */
export function manifestFaults({ errors, faults }: Pick<RobotRow, "errors" | "faults">): readonly Said[] {
  return errors.map((error, place) => {
    const fault = faults?.[place];
    const { text, more } = codedSaid("manifest_fault", fault, error);
    return { text, more: fault !== undefined && isWhole(fault) ? null : more };
  });
}

/** True where the code and its data are all there is to say. */
function isWhole({ code }: ManifestFault): boolean {
  switch (code) {
    case "too_many_robots":
    case "robot_exists":
      return true;
    case "unreadable":
    case "syntax":
    case "value":
    case "public_key":
    case "limits":
      return false;
  }
}
