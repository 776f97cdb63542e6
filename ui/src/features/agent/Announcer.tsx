import { useEffect, useRef, useState } from "react";
import type { LiveTurn } from "../../host/live-turn";
import { t } from "../../locales/i18n";
import { type Announcing, useAnnouncing } from "./announcing";
import { finished } from "./sentences";
import { targetOf, verbOf } from "./tool-words";

/**
 * Tells who cannot see the conversation what is said in it: finished sentences or replies, as chosen, and questions,
 * once each (U-912).
 */
export function Announcer({ turn }: { turn: LiveTurn | null }) {
  const [said, setSaid] = useState("");
  const heard = useRef<Heard>(toldBefore(turn));
  const announcing = useAnnouncing();

  // Synchronises with assistive technology, which hears what changes.
  useEffect(() => {
    if (turn === null) return;
    const { words, now } = newIn(turn, heard.current, announcing);
    heard.current = now;
    if (words !== "") setSaid(words);
  }, [turn, announcing]);

  return (
    <p className="visually-hidden" role="status" data-testid="announced">
      {said}
    </p>
  );
}

/** Announced already: of which turn, how many texts before a call, how much of the growing one, and which question. */
type Heard = { turn: string | null; pieces: number; text: string; asked: string | null };

/** A reply that was over before the conversation was shown is read in it, and not announced again. */
function toldBefore(turn: LiveTurn | null): Heard {
  return turn?.ended === true
    ? { turn: turn.turn, pieces: turn.said.length, text: turn.text, asked: null }
    : { turn: null, pieces: 0, text: "", asked: null };
}

function newIn(turn: LiveTurn, heard: Heard, announcing: Announcing): { words: string; now: Heard } {
  const before = heard.turn === turn.turn ? heard : { turn: turn.turn, pieces: 0, text: "", asked: null };
  const asked = turn.calls.find(({ state }) => state === "asked");
  const isNew = asked !== undefined && asked.call !== before.asked;
  const question = isNew ? t("agent.asks", { verb: verbOf(asked.name), target: targetOf(asked.args) }) : "";
  const { words, ...told } = newWords(turn, before, announcing);
  return {
    words: [...words, question].filter((part) => part !== "").join(" "),
    now: { turn: turn.turn, asked: asked?.call ?? null, ...told },
  };
}

function newWords(turn: LiveTurn, heard: Heard, announcing: Announcing) {
  const whole = turn.ended || turn.delivered !== null;
  if (announcing === "replies" && !whole) return { words: [], pieces: heard.pieces, text: heard.text };
  // A call follows at once on the last sentence before it, so nothing in the text marks where that ends.
  const pieces =
    announcing === "replies"
      ? []
      : turn.said.slice(heard.pieces).map((piece, place) => restOf(piece, place === 0 ? heard.text : ""));
  const start = turn.said.length > heard.pieces ? "" : heard.text;
  const { said, upTo } = finished(turn.text, turn.text.startsWith(start) ? start.length : 0, whole);
  return { words: [...pieces, said], pieces: turn.said.length, text: turn.text.slice(0, upTo) };
}

function restOf(piece: string, heard: string): string {
  return (piece.startsWith(heard) ? piece.slice(heard.length) : piece).trim();
}
