// The choice of keys: what is being chosen, what was pressed for it, and what came of it.

import { useState } from "react";
import type { Chord } from "../../../design/shortcuts/chords";
import { type ChordsById, judgeKey, swapped } from "../../../design/shortcuts/key-rules";
import {
  isChanged,
  keepKeys,
  type KeysInForce,
  keysInForce,
  printOfKey,
  tableChord,
} from "../../../design/shortcuts/keys-in-force";
import type { ShortcutId } from "../../../design/shortcuts/shortcuts";
import { t } from "../../../locales/i18n";

/** `choice` is the action whose key is being chosen and the key pressed for it, `said` what was done last. */
export type KeyChoice = {
  choice: { id: ShortcutId; chord: Chord | null } | null;
  said: string;
  begin: (id: ShortcutId) => void;
  giveUp: () => void;
  wish: (id: ShortcutId, chord: Chord) => void;
  swap: (id: ShortcutId, other: ShortcutId) => void;
  reset: (id: ShortcutId) => void;
  resetAll: () => void;
};

/** A free key is kept at once; any other one waits for another press or for a swap. */
export function useKeyChoice({ characters, chords }: KeysInForce): KeyChoice {
  const [choice, setChoice] = useState<KeyChoice["choice"]>(null);
  const [said, setSaid] = useState("");
  const keep = (next: ChordsById, ...ids: readonly ShortcutId[]) => {
    keepKeys({ characters, chords: next });
    setChoice(null);
    setSaid(ids.map(sayKey).join(" "));
  };
  const wish = (id: ShortcutId, chord: Chord) => {
    // The default is allowed even where character keys are switched off: it is what a reset has to lead to.
    const verdict = judgeKey(id, chord, chords, characters || !isChanged(id, chord));
    if (verdict.kind === "free") keep(new Map(chords).set(id, chord), id);
    else setChoice({ id, chord });
  };
  return {
    choice,
    said,
    begin: (id) => setChoice({ id, chord: null }),
    giveUp: () => setChoice(null),
    wish,
    swap: (id, other) => keep(swapped(id, other, chords), id, other),
    reset: (id) => wish(id, tableChord(id)),
    resetAll: () => {
      keep(new Map());
      setSaid(t("shortcuts.all_reset"));
    },
  };
}

function sayKey(id: ShortcutId): string {
  return t("shortcuts.now", { action: t(`shortcut.${id}`), keys: printOfKey(id, keysInForce()) });
}
