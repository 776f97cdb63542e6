import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import {
  Autocomplete,
  Collection,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  SearchField,
} from "react-aria-components";
import { Keys } from "../../design/components/Keys";
import { Overlay } from "../../design/components/Overlay";
import { Refusal } from "../../design/components/Refusal";
import { stopHint, useHints } from "../../design/shortcuts/keys-in-force";
import { t } from "../../locales/i18n";
import { EntrySymbol } from "./EntrySymbol";
import styles from "./Palette.module.css";
import { type Entry, GROUPS, paletteEntries } from "./palette-entries";
import { usePaletteActs } from "./usePaletteActs";
import type { TypedAhead } from "./typed-ahead";
import { useKnown } from "./useKnown";

/**
 * Finds robots, missions, alarms, approvals, screens and acts by words, and what is held and remembered. It opens; the
 * few acts in it are those that no confirmation guards elsewhere (U-1903).
 */
export function Palette({ typedAhead, onClose }: { typedAhead: TypedAhead; onClose: () => void }) {
  const [words, setWords] = useState("");
  const { known, answered } = useKnown(words);
  const acts = usePaletteActs(onClose);
  useEscape(onClose);
  // The answers come together: an entry that is about to be chosen does not move.
  const entries = paletteEntries(words, known, answered);
  const groups = GROUPS.map((group) => ({ group, entries: entries.filter((entry) => entry.group === group) }));
  return (
    <Overlay onClose={onClose} size="search">
      <Dialog className={styles.palette ?? ""} aria-label={t("palette.title")}>
        <Autocomplete inputValue={words} onInputChange={setWords}>
          <SearchField
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever opens it wants to write
            autoFocus
            aria-label={t("palette.title")}
            className={styles.search ?? ""}
            onFocus={() => setWords(words + typedAhead.take())}
          >
            <Search aria-hidden="true" className={styles.icon} />
            <Input className={styles.field ?? ""} data-testid="palette" placeholder={t("palette.placeholder")} />
            <Keys>Esc</Keys>
          </SearchField>
          <div className={styles.list} role="group" aria-label={t("palette.found")} tabIndex={0}>
            <ListBox
              aria-label={t("palette.title")}
              className={styles.box ?? ""}
              items={groups.filter((group) => group.entries.length > 0)}
              renderEmptyState={() => <p className={styles.none}>{t("palette.searching")}</p>}
            >
              {({ group, entries: rows }) => (
                <ListBoxSection id={group} className={styles.group ?? ""}>
                  <Header className={styles.head ?? ""}>{t(`palette.group_${group}`)}</Header>
                  <Collection items={rows}>
                    {(entry) => <Line entry={entry} onChoose={() => acts.choose(entry.does)} />}
                  </Collection>
                </ListBoxSection>
              )}
            </ListBox>
          </div>
        </Autocomplete>
        <p role="status" className={styles.none} hidden={!acts.pending}>
          {acts.pending && t("hold.sending")}
        </p>
        <Refusal error={acts.error} />
        <Foot />
      </Dialog>
    </Overlay>
  );
}

/** Closes at once, where a search field would first empty itself. */
function useEscape(onClose: () => void): void {
  // Synchronises with the keyboard, ahead of the field.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, [onClose]);
}

function Line({ entry, onChoose }: { entry: Entry; onChoose: () => void }) {
  const { text, about, keys, symbol } = entry;
  const hints = useHints();
  const print = keys === "" ? "" : hints.of(keys);
  return (
    <ListBoxItem id={entry.id} textValue={`${text} ${about}`} className={styles.entry ?? ""} onAction={onChoose}>
      <EntrySymbol symbol={symbol} />
      <span className={styles.text} title={text}>
        {text}
      </span>
      <span className={styles.about}>{about}</span>
      {print !== "" && <Keys>{print}</Keys>}
    </ListBoxItem>
  );
}

function Foot() {
  return (
    <p className={styles.foot}>
      <span>
        <Keys>↑</Keys> <Keys>↓</Keys> {t("palette.choose")}
      </span>
      <span>
        <Keys>Enter</Keys> {t("palette.open")}
      </span>
      <span className={styles.end}>{t("palette.stop_stays", { keys: stopHint("stop_all") })}</span>
    </p>
  );
}
