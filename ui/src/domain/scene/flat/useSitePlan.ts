import type { SitePlan } from "../../../generated/bindings/SitePlan";
import { useRows } from "../../station/useRows";

/** The station's site plan; null until it is known. */
export function useSitePlan(): SitePlan | null {
  return useRows("site_plan", "get_site_plan", {}).data?.rows.plan ?? null;
}
