// What the word at the caret may become: a command after a slash, a name after an @.

import { t } from "../../locales/i18n";
import { offered } from "./grammar";
import type { Choice } from "./Menu";
import { mentionAt, mentioned, withMention } from "./mentions";
import { useNames } from "./useNames";

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
