import { useEffect, useRef, useState } from "react";
import type { LiveTurn } from "../../host/live-turn";
import { t } from "../../locales/i18n";
import { useAnnouncing } from "./announcing";
import { finished } from "./sentences";
import { targetOf, verbOf } from "./tool-words";

/**
 * Tells who cannot see the conversation what is said in it: finished sentences or replies, as chosen, and questions,
 * once each (U-912).
 */
export function Announcer({ turn }: { turn: LiveTurn | null }) {
  const [said, setSaid] = useState("");
  const heard = useRef({ text: "", upTo: 0 });
  const announcing = useAnnouncing();
  const text = turn?.text ?? "";
  const over = turn !== null && (turn.ended || turn.delivered !== null);
  const asked = turn?.calls.find(({ state }) => state === "asked");
  const question =
    asked === undefined ? "" : t("agent.asks", { verb: verbOf(asked.name), target: targetOf(asked.args) });

  // Synchronises with assistive technology, which hears what changes.
  useEffect(() => {
    if (announcing === "replies" && !over) return;
    const goesOn = text.startsWith(heard.current.text);
    const next = finished(text, goesOn ? heard.current.upTo : 0, over);
    heard.current = { text: text.slice(0, next.upTo), upTo: next.upTo };
    if (next.said !== "") setSaid(next.said);
  }, [text, over, announcing]);
  useEffect(() => {
    if (question !== "") setSaid(question);
  }, [question]);

  return (
    <p className="visually-hidden" role="status" data-testid="announced">
      {said}
    </p>
  );
}
