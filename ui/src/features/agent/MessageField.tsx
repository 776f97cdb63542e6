import { type KeyboardEvent, useId } from "react";
import { COMPOSER_ID } from "../../domain/agent/draft";
import { t } from "../../locales/i18n";
import styles from "./Composer.module.css";
import { Menu } from "./Menu";
import { useWriting } from "./useWriting";

type MessageFieldProps = {
  text: string;
  /** Earlier messages, newest first. */
  sent: readonly string[];
  onText: (text: string) => void;
  onSend: () => void;
};

/**
 * Message field: Enter sends, Shift+Enter breaks the line, `/` and `@` complete, ↑ recalls earlier messages (U-907).
 */
export function MessageField({ text, sent, onText, onSend }: MessageFieldProps) {
  const menu = useId();
  const { field, choices, chosen, pick, onMenuKey, onRecallKey, onTyped, onCaret, close } = useWriting(
    text,
    sent,
    onText,
  );
  const open = choices.length > 0;

  const onKeyDown = (event: KeyboardEvent) => {
    // While letters are composed, Enter takes the offered ones. Keys with a modifier belong to the window.
    if (event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const taken = onMenuKey(event.key) || onRecallKey(event.key);
    if (taken) event.preventDefault();
    if (taken || event.key !== "Enter") return;
    event.preventDefault();
    onSend();
  };

  return (
    <div className={styles.field}>
      {open && <Menu id={menu} label={t("agent.completions")} choices={choices} active={chosen} onPick={pick} />}
      <textarea
        ref={field}
        data-testid="composer"
        id={COMPOSER_ID}
        className={styles.text}
        rows={2}
        aria-label={t("agent.message")}
        aria-autocomplete="list"
        aria-controls={open ? menu : undefined}
        aria-activedescendant={open ? `${menu}-${chosen}` : undefined}
        placeholder={t("agent.placeholder")}
        value={text}
        onChange={(event) => onTyped(event.target.value, event.target.selectionStart)}
        onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
