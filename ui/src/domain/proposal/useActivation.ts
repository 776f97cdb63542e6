// The text that a card asks to activate, as the station reads it now.

import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { Proposal } from "../../generated/bindings/Proposal";
import { t } from "../../locales/i18n";
import { useLive } from "../station/useLive";
import { useRows } from "../station/useRows";
import { activationRefusal, shownOf, type WantedActivation, wantedActivation } from "./proposed-activation";

/** An activation that a card asks for; `mission` is null until its meaning is known. */
export type Activation = {
  wanted: WantedActivation;
  mission: MissionDetail | null;
  /** The sentence that says why it cannot be approved; nobody approves what the card does not show. */
  refusal: string | null;
  /** All that is shown, as one text. */
  shown: string;
};

/** The activation that an open card asks for; null if it asks for something else. */
export function useActivation(proposal: Proposal, open: boolean): Activation | null {
  const wanted = open ? wantedActivation(proposal) : null;
  const input = { mission_id: wanted?.mission_id ?? "", agent: proposal.agent };
  const { data, isError } = useRows("missions", "get_mission", input, wanted !== null);
  const role = useLive((store) => store.session?.role);
  if (wanted === null) return null;
  const mission = data?.rows ?? null;
  // Also if an older answer is there: the file may have changed since.
  if (isError) return { wanted, mission: null, refusal: t("activation_card.unread"), shown: "" };
  if (mission === null) return { wanted, mission, refusal: t("activation_card.reading"), shown: "" };
  return { wanted, mission, refusal: activationRefusal(wanted, mission, role), shown: shownOf(mission) };
}
