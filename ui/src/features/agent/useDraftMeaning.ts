import { statementText } from "../../domain/mission/mission-phrase";
import { useRows } from "../../domain/station/useRows";
import { hasStationWords } from "../../locales/station-words";
import type { DraftedMission } from "./mission-draft";

/**
 * The meaning of a draft in the window's language. Its call answers an agent, in English; another language asks the station
 * for the same text as data, and English stands until that is there.
 */
export function useDraftMeaning({ mission_id, hash, meaning }: DraftedMission): readonly string[] {
  const wanted = hasStationWords() && hash !== null && meaning.length > 0;
  const { data } = useRows("missions", "get_mission", { mission_id, version: hash }, wanted);
  const statements = data?.rows.hash === hash ? data?.rows.statements : undefined;
  return wanted ? meaning.map((sentence, at) => statementText(statements?.[at], sentence)) : meaning;
}
