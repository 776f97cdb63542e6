// What a mission says, in the window's language: its statements, its changes and the approvals it asks for. The station's
// English stands where the window has no words of its own.

import type { MissionChange } from "../../generated/bindings/MissionChange";
import type { MissionDetail } from "../../generated/bindings/MissionDetail";
import type { MissionPart } from "../../generated/bindings/MissionPart";
import type { MissionPhrase } from "../../generated/bindings/MissionPhrase";
import type { MissionStatement } from "../../generated/bindings/MissionStatement";
import { exactText } from "../../design/fields/decimal";
import { codeText } from "../../locales/i18n";
import { stationText } from "../../locales/station-words";
import { intervalText } from "../schedule/cron-text";
import { goalPhrase, startPhrase } from "./goal-phrase";
import { limitPhrase } from "./limit-phrase";
import { aside, numberAside, rangeText, timeText } from "./phrase-values";

/** A sentence of the meaning of a file. */
export function statementText(statement: MissionStatement | undefined, sentence: string): string {
  if (statement === undefined) return sentence;
  const part = partText(statement.part);
  const phrase = missionPhrase(statement.phrase);
  return part === null || phrase === null ? sentence : `${part}: ${phrase}.`;
}

/** A difference of two texts of a mission; its direction stands beside it. */
export function changeText({ said, sentence }: MissionChange): string {
  if (said === undefined) return sentence;
  const part = partText(said.part);
  const before = said.before === null ? "" : missionPhrase(said.before);
  const after = said.after === null ? goneText(said.part) : missionPhrase(said.after);
  if (part === null || before === null || after === null) return sentence;
  return `${part}: ${[before, after].filter((text) => text !== "").join(" → ")}.`;
}

/** The standing approvals that a file asks for, each in a phrase. */
export function requestTexts({ envelope = [], requests = [] }: Pick<MissionDetail, "envelope" | "requests">): string[] {
  return envelope.map((english, at) => {
    const request = requests[at];
    return (request && missionPhrase(request)) ?? english;
  });
}

/** The words in the place of a part that is gone: a life goes on without its end and its budget. */
function goneText({ code }: MissionPart): string | null {
  return code === "end" || code === "budget" ? stationText("mission_aside", "none") : "";
}

function partText(part: MissionPart): string | null {
  const given = part.code === "response" ? { class: codeText("fallback_class", part.class) } : part;
  return stationText("mission_part", part.code, given);
}

/** A phrase in another language than English; null where the window has no words of its own. */
function missionPhrase(phrase: MissionPhrase): string | null {
  const said = (given: object, behind = "") => {
    const text = stationText("mission_phrase", phrase.code, given);
    return text === null ? null : `${text}${behind}`;
  };
  switch (phrase.code) {
    case "steps":
      return said({ list: phrase.steps.map((step) => codeText("fallback_step", step)).join(", ") });
    case "starts":
      return said({ start_text: startPhrase(phrase.start) });
    case "does":
      return said({ goal_text: goalPhrase(phrase.goal) });
    case "job": {
      const text = said({ does_text: goalPhrase(phrase.does), due_text: startPhrase(phrase.due) });
      return text === null || phrase.name === null ? text : `${phrase.name}: ${text}`;
    }
    case "retries":
      return said({ times: phrase.times, span: intervalText(phrase.secs) });
    case "motions":
      return said({ ...phrase, hours_text: exactText(phrase.hours) }, coveredText(phrase));
    case "limit": {
      const framed = aside("frame", phrase.frame === null ? null : { frame: phrase.frame });
      return said({ limit_text: limitPhrase(phrase.limit) }, framed);
    }
    case "after_activation":
      return said({ span: intervalText(phrase.secs) });
    case "at_time":
      return said({ moment: timeText(phrase.time) });
    case "money":
      return said({ usd_text: exactText(phrase.usd) });
    case "plain":
    case "quoted":
    case "whole_run":
    case "each_command":
    case "provided":
    case "when":
    case "fails":
    case "pauses":
    case "fails_and_starts":
    case "asks":
    case "lets":
      return said(phrase);
  }
}

/** The bounds of a standing approval. */
function coveredText({ speed_mps, force_n, region_m, frame }: Extract<MissionPhrase, { code: "motions" }>): string {
  const [x, y, z] = region_m ?? [];
  const region =
    x === undefined || y === undefined || z === undefined
      ? aside("anywhere", {})
      : aside("region", { x: rangeText(x), y: rangeText(y), z: rangeText(z) });
  const framed = aside("frame", frame === null ? null : { frame });
  return `${numberAside("speed", speed_mps)}${numberAside("force", force_n)}${region}${framed}`;
}
