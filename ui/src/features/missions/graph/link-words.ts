// The reason why two missions cannot be connected, as a sentence.

import { t } from "../../../locales/i18n";
import type { LinkRefusal } from "./graph-model";

export function refusalText(refusal: LinkRefusal): string {
  switch (refusal.kind) {
    case "self":
      return t("mission_graph.refused_self");
    case "double":
      return t("mission_graph.refused_double");
    case "circle":
      return t("mission_graph.refused_circle", { path: refusal.path.join(" → ") });
  }
}
