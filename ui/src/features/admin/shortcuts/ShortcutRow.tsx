import { useRef } from "react";
import { Button } from "../../../design/components/Button";
import { Keys } from "../../../design/components/Keys";
import table from "../../../design/components/table.module.css";
import type { Chord } from "../../../design/shortcuts/chords";
import { isCharacter } from "../../../design/shortcuts/chords";
import { judgeKey } from "../../../design/shortcuts/key-rules";
import { isChanged, type KeysInForce, printOfKey, tableChord } from "../../../design/shortcuts/keys-in-force";
import { isStopKey, type ShortcutId } from "../../../design/shortcuts/shortcuts";
import { t } from "../../../locales/i18n";
import { KeyRecorder } from "./KeyRecorder";
import styles from "./Shortcuts.module.css";

type ShortcutRowProps = {
  id: ShortcutId;
  keys: KeysInForce;
  /** Its key is being chosen: the one that was pressed last, if any. */
  wanted: { chord: Chord | null } | null;
  onBegin: () => void;
  onWish: (chord: Chord) => void;
  onSwap: (other: ShortcutId) => void;
  onReset: () => void;
  onGiveUp: () => void;
};

/** One action: its key, and how to have another one or the first one again. */
export function ShortcutRow({ id, keys, wanted, onBegin, onWish, onSwap, onReset, onGiveUp }: ShortcutRowProps) {
  const action = t(`shortcut.${id}`);
  const changes = useRef<HTMLButtonElement>(null);
  const reset = () => {
    // The button for it goes away with the change, and the focus must not go with it.
    changes.current?.focus();
    onReset();
  };
  const chord = keys.chords.get(id) ?? tableChord(id);
  if (wanted !== null) {
    const verdict = wanted.chord && judgeKey(id, wanted.chord, keys.chords, keys.characters);
    return (
      <tr data-testid={`key-row-${id}`}>
        <th scope="row">{action}</th>
        <td colSpan={2} className={table.wrap}>
          <KeyRecorder
            action={action}
            pressed={wanted.chord}
            verdict={verdict}
            onWish={onWish}
            onSwap={onSwap}
            onGiveUp={onGiveUp}
          />
        </td>
      </tr>
    );
  }
  const changed = isChanged(id, chord);
  const off = !keys.characters && isCharacter(chord);
  return (
    <tr data-testid={`key-row-${id}`} data-changed={changed} data-off={off}>
      <th scope="row">{action}</th>
      <td>
        <Keys>{printOfKey(id, keys)}</Keys> {off && <span className={styles.hint}>{t("shortcuts.off")}</span>}
      </td>
      <td>
        {isStopKey(id) ? (
          <span className={styles.hint}>{t("shortcuts.fixed")}</span>
        ) : (
          <span className={styles.acts}>
            <Button
              ref={changes}
              look="quiet"
              size="row"
              data-testid={`change-${id}`}
              aria-label={t("shortcuts.change_of", { action })}
              onClick={onBegin}
            >
              {t("shortcuts.change_key")}
            </Button>
            {changed && (
              <Button
                look="quiet"
                size="row"
                data-testid={`reset-${id}`}
                aria-label={t("shortcuts.reset_of", { action })}
                onClick={reset}
              >
                {t("shortcuts.reset_to", { keys: printOfKey(id, null) })}
              </Button>
            )}
          </span>
        )}
      </td>
    </tr>
  );
}
