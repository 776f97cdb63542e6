// The text of a field from the first letter until the file has it.

import { useContext, useState } from "react";
import { t } from "../../../locales/i18n";
import { EntryContext, isBack, type Sent, SettlingContext } from "./settling";

type TypedProps = {
  /** The value that the file has. */
  value: string;
  problem: string | null;
  refuse: ((typed: string) => string | null) | undefined;
  onCommit: (value: string) => void;
};

/** `over` is the entry and the value that it was typed over; `isContested` once the file has had another one since. */
type Typed = { text: string; over: string; isContested: boolean };

/** `commit` saves what is typed, `isAsked` by a key rather than by leaving; `drop` is false if nothing was typed. */
export function useTyped({ value, problem, refuse, onCommit }: TypedProps) {
  const settling = useContext(SettlingContext);
  const [typed, setTyped] = useState<Typed | null>(null);
  const [sent, setSent] = useState<({ text: string } & Sent) | null>(null);
  // The field shows what was sent until the file has it, and the next text is typed over that.
  const base = sent?.text ?? value;
  const entry = useContext(EntryContext);
  const over = `${entry} ${base}`;
  const [refused, setRefused] = useState<string | null>(null);
  if (sent !== null && settling !== null) {
    if (settling.refused) {
      setSent(null);
      // It was saved nowhere: only here it can be sent again.
      if (typed === null) setTyped({ text: sent.text, over: `${entry} ${value}`, isContested: false });
    } else if (isBack(sent, settling)) setSent(null);
    else if (settling.unsettled && !sent.begun) setSent({ ...sent, begun: true });
  }
  const put = (next: Typed | null, reason: string | null = null) => {
    setTyped(next);
    setRefused(reason);
  };
  const commit = (isAsked: boolean) => {
    if (typed === null) return;
    const reason = refuse?.(typed.text) ?? null;
    if (reason !== null) return setRefused(reason);
    if (typed.text === base) return put(null);
    // Somebody else has changed the file below the fingers: the field may even be about another entry by now.
    if (typed.over !== over) return put({ ...typed, over, isContested: true }, t("mission_form.changed_under"));
    if (typed.isContested && !isAsked) return;
    put(null);
    if (settling !== null) setSent({ text: typed.text, over: settling.hash, begun: false });
    onCommit(typed.text);
  };
  return {
    shown: typed?.text ?? base,
    wrong: refused ?? problem,
    type: (text: string) => put({ over, isContested: false, ...typed, text }),
    commit,
    drop: () => {
      put(null);
      return typed !== null;
    },
  };
}
