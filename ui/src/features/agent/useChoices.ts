// Completions of the word at the caret: a command after a slash, a name after an @.

import { t } from "../../locales/i18n";
import { useRows } from "../../domain/station/useRows";
import { offered } from "./grammar";
import type { Choice } from "./Menu";
import { type Mention, mentionAt, mentioned, withMention } from "./mentions";

/** The choices for a message that is being written; none where nothing can be completed. */
export function useChoices(text: string, caret: number): readonly Choice[] {
  const mention = mentionAt(text, caret);
  const names = useNames(mention !== null);
  if (mention !== null) {
    return mentioned(mention.word, names).map(({ name, kind }) => ({
      id: `${kind} ${name}`,
      text: name,
      about: t(`mention.${kind}`),
      put: withMention(text, mention, name),
    }));
  }
  return offered(text).map(({ word, follows }) => {
    const put = follows === "" ? `/${word}` : `/${word} `;
    return {
      id: word,
      text: `/${word}`,
      about: follows === "" ? t(`command.${word as "alerts"}`) : `${follows} · ${t(`command.${word as "alerts"}`)}`,
      put: { text: put, caret: put.length },
    };
  });
}

/** Robots, missions and what is known of the world, once somebody wants them. */
function useNames(wanted: boolean): Mention[] {
  const robots = useRows("robots", "list_robots", {}, wanted);
  const missions = useRows("missions", "list_missions", {}, wanted);
  const world = useRows("world", "list_world_state", {}, wanted);
  return [
    ...(robots.data?.rows ?? []).map(({ id }): Mention => ({ name: id, kind: "robot" })),
    ...(missions.data?.rows ?? []).map(({ id }): Mention => ({ name: id, kind: "mission" })),
    ...(world.data?.rows ?? []).map(({ key }): Mention => ({ name: key, kind: "key" })),
  ];
}
