// The reason why a robot cannot be armed, in the window's language.

import type { ArmingHindrance } from "../../generated/bindings/ArmingHindrance";
import type { RobotSafety } from "../../generated/bindings/RobotSafety";
import { codeText, t } from "../../locales/i18n";
import { type Said, stationText } from "../../locales/station-words";
import { causeSentence } from "../stop/cause-sentences";

/** The sentence, with the station's own where that says more; null for a robot that can be armed. */
export function armingSaid(
  safety: Pick<RobotSafety, "arming_problem" | "arming_hindrance"> | null | undefined,
): Said | null {
  const sentence = safety?.arming_problem ?? null;
  if (sentence === null) return null;
  const hindrance = safety?.arming_hindrance ?? null;
  if (hindrance === null) return { text: sentence, more: null };
  if (hindrance.code === "cause") return { text: causeSentence({ cause: hindrance.cause, sentence }), more: null };
  const [key, given] = partsOf(hindrance);
  const text = stationText("arming", key, given);
  if (text === null) return { text: sentence, more: null };
  return { text, more: namesSource(hindrance) ? sentence : null };
}

/** The key of the sentence and what its places are filled with. */
function partsOf(hindrance: Exclude<ArmingHindrance, { code: "cause" }>): [string, object] {
  switch (hindrance.code) {
    case "empty_set":
      return [hindrance.code, { ...hindrance, missing: codeText("limit", hindrance.missing) }];
    case "not_commissioned":
      return hindrance.step === null
        ? [hindrance.code, {}]
        : ["not_commissioned_step", { step: t(`commissioning_step.${hindrance.step}`) }];
    case "workspace_empty":
    case "workspace_covered":
    case "pose_violates":
    case "source_silent":
    case "no_fresh_pose":
    case "no_answer":
    case "nothing_heard":
      return [hindrance.code, hindrance];
  }
}

/** True where the station's sentence names the source and its age, which the code does not. */
function namesSource({ code }: ArmingHindrance): boolean {
  return code === "source_silent" || code === "no_fresh_pose";
}
