import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../design/components/Button";
import { type Chord, chordFrom, isModifier, isUnnamed, printOf } from "../../../design/shortcuts/chords";
import type { KeyRefusal, KeyVerdict } from "../../../design/shortcuts/key-rules";
import { stopHint } from "../../../design/shortcuts/keys-in-force";
import type { ShortcutId } from "../../../design/shortcuts/shortcuts";
import { t } from "../../../locales/i18n";
import styles from "./Shortcuts.module.css";

type KeyRecorderProps = {
  action: string;
  pressed: Chord | null;
  /** The judgement on what was pressed; a free key ends the choice at once. */
  verdict: KeyVerdict | null;
  onWish: (chord: Chord) => void;
  onSwap: (other: ShortcutId) => void;
  onGiveUp: () => void;
};

/**
 * Takes the next key press. Escape and leaving give up, Tab goes on as ever, and the keys of STOP ALL stop: they are seen
 * before everything else.
 */
export function KeyRecorder({ action, pressed, verdict, onWish, onSwap, onGiveUp }: KeyRecorderProps) {
  const button = useRef<HTMLButtonElement>(null);
  const told = useId();
  const [unusable, setUnusable] = useState<KeyRefusal | null>(null);

  // Synchronises with the focus of the window: whoever wants another key presses it now.
  useEffect(() => button.current?.focus(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab") return;
    event.preventDefault();
    // The key may be that of another action until it is changed, and must not carry that one out.
    event.stopPropagation();
    if (event.key === "Escape") return onGiveUp();
    if (event.repeat || isModifier(event)) return;
    if (event.nativeEvent.isComposing || isUnnamed(event)) return setUnusable("unnamed");
    if (event.altKey || event.metaKey) return setUnusable("alt");
    setUnusable(null);
    onWish(chordFrom(event));
  };
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) onGiveUp();
  };
  const taken = unusable === null && verdict?.kind === "taken" ? verdict : null;
  const [other] = taken?.by ?? [];
  const print = pressed === null ? "" : printOf(pressed);
  return (
    <div className={styles.recorder} onBlur={onBlur} data-testid="key-recorder">
      <button
        ref={button}
        type="button"
        className={styles.take}
        aria-label={t("shortcuts.press_for", { action })}
        aria-describedby={told}
        data-testid="take-key"
        onKeyDown={onKeyDown}
      >
        {unusable === null && print !== "" ? print : t("shortcuts.press")}
      </button>
      {taken?.swap === true && other !== undefined && (
        <Button look="primary" size="row" data-testid="swap-keys" onClick={() => onSwap(other)}>
          {t("shortcuts.swap", { other: t(`shortcut.${other}`) })}
        </Button>
      )}
      <Button look="quiet" size="row" data-testid="keep-key" onClick={onGiveUp}>
        {t("shortcuts.keep")}
      </Button>
      <p id={told} className={styles.told} role="status" data-testid="key-told">
        {sentence(unusable, verdict, print)}
      </p>
    </div>
  );
}

function sentence(unusable: KeyRefusal | null, verdict: KeyVerdict | null, keys: string): string {
  if (unusable !== null) return t(`key_refusal.${unusable}`, { keys });
  switch (verdict?.kind) {
    case "refused":
      return t(`key_refusal.${verdict.reason}`, { keys });
    case "taken":
      return t(verdict.swap ? "shortcuts.taken" : "shortcuts.taken_fixed", {
        keys,
        actions: verdict.by.map((id) => t(`shortcut.${id}`)).join(", "),
      });
    case "free":
    case undefined:
      return t("shortcuts.press_hint", { stop: `${stopHint("stop_all")}, ${stopHint("stop_all_f12")}` });
  }
}
