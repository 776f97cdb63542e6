import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { t } from "../locales/i18n";
import styles from "./Palette.module.css";
import { type Entry, paletteEntries } from "./palette-entries";
import { usePaletteAnswers } from "./usePaletteAnswers";

/** Words in, places out: screens, beliefs and what memory holds. It opens things and never acts (U-1903). */
export function Palette({ onClose }: { onClose: () => void }) {
  const [words, setWords] = useState("");
  const [place, setPlace] = useState(0);
  const [, navigate] = useLocation();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const { beliefs, hits } = usePaletteAnswers(words);
  const entries = paletteEntries(words, beliefs, hits);
  const active = Math.min(place, entries.length - 1);

  // Synchronises with the focus of the window: it goes into the palette and back to where it was.
  useEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  const open = ({ to }: Entry) => {
    onClose();
    navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const entry = entries[active];
    if (event.key === "Escape") onClose();
    else if (event.key === "ArrowDown") setPlace(Math.min(active + 1, entries.length - 1));
    else if (event.key === "ArrowUp") setPlace(Math.max(active - 1, 0));
    else if (event.key === "Enter" && entry) open(entry);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.palette} role="dialog" aria-label={t("palette.title")}>
      <input
        ref={field}
        type="text"
        role="combobox"
        autoComplete="off"
        className={styles.field}
        data-testid="palette"
        aria-label={t("palette.title")}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={entries.length === 0 ? undefined : `${list}-${active}`}
        placeholder={t("palette.placeholder")}
        value={words}
        onKeyDown={onKeyDown}
        onBlur={onClose}
        onChange={(event) => {
          setWords(event.target.value);
          setPlace(0);
        }}
      />
      <div id={list} role="listbox" aria-label={t("palette.title")} className={styles.list}>
        {entries.map((entry, index) => (
          <Option
            key={entry.id}
            id={`${list}-${index}`}
            entry={entry}
            active={index === active}
            onOpen={() => open(entry)}
          />
        ))}
      </div>
    </div>
  );
}

/** The field keeps the focus: losing it closes the palette. Its keys choose among the options. */
function Option({ id, entry, active, onOpen }: { id: string; entry: Entry; active: boolean; onOpen: () => void }) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the field
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={styles.entry}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span className={styles.text}>{entry.text}</span>
      <span className={styles.about}>{entry.about}</span>
    </div>
  );
}
