// The language that this desk has chosen for the window. Its catalogue is loaded by `locales`; the words of STOP ALL and
// the forms of numbers and dates ask here.

import { useSyncExternalStore } from "react";
import { deskMemory } from "./memory";

/** Languages of the window. */
export const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** `system` follows the computer's own setting. */
export const LANGUAGE_CHOICES = ["system", ...LANGUAGES] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

const KEY = "quarterdeck.language";
/** Only other windows hear that storage has changed; this event is for the own one. */
const CHANGED = "quarterdeck-language";
const EVENTS = [CHANGED, "storage", "languagechange"] as const;

/** Language and locale until the next of the events. A locale that is not named is the computer's own. */
type Read = { choice: LanguageChoice; language: Language; locale: string | undefined };

let read: Read | null = null;

function current(): Read {
  read ??= readAnew();
  return read;
}

function readAnew(): Read {
  const kept = deskMemory.read(KEY);
  const choice = LANGUAGE_CHOICES.find((one) => one === kept) ?? "system";
  const tags = (globalThis.navigator?.languages ?? []).filter(isKnownTag);
  const language = choice === "system" ? (tags.map(languageOf).find((one) => one !== null) ?? "en") : choice;
  // The computer's region decides the forms of numbers where it has one for the language: de-CH writes 1.5, de-DE 1,5.
  const locale = tags.find((tag) => languageOf(tag) === language) ?? (choice === "system" ? undefined : language);
  return { choice, language, locale };
}

function languageOf(tag: string): Language | null {
  const [first] = tag.toLowerCase().split("-");
  return LANGUAGES.find((one) => one === first) ?? null;
}

function isKnownTag(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** The language of the window. */
export function language(): Language {
  return current().language;
}

/** Words that are compiled in for every language, in that of the window. */
export function spoken<T>(texts: Readonly<Record<Language, T>>): T {
  return texts[language()];
}

/** The locale for `Intl`. */
export function formatLocale(): string | undefined {
  return current().locale;
}

/** Makes something once for the locale of the window, and anew after another language was chosen. */
export function perLocale<T>(make: (locale: string | undefined) => T): () => T {
  let made: { locale: string | undefined; value: T } | null = null;
  return () => {
    const locale = formatLocale();
    if (made === null || made.locale !== locale) made = { locale, value: make(locale) };
    return made.value;
  };
}

/** The language of the window, anew after another was chosen. */
export function useLanguage(): Language {
  return useSyncExternalStore(onChange, language);
}

/** The chosen language, and how to choose another. */
export function useLanguageChoice(): [LanguageChoice, (choice: LanguageChoice) => void] {
  return [useSyncExternalStore(onChange, () => current().choice), keep];
}

/** Names the language to the browser and to screen readers, now and whenever another is chosen. */
export function markPage(): void {
  mark();
  onChange(mark);
}

function mark(): void {
  document.documentElement.lang = language();
}

function keep(choice: LanguageChoice): void {
  deskMemory.write(KEY, choice === "system" ? null : choice);
  read = null;
  dispatchEvent(new Event(CHANGED));
}

function onChange(changed: () => void): () => void {
  const readAndTell = () => {
    read = null;
    changed();
  };
  for (const event of EVENTS) addEventListener(event, readAndTell);
  return () => {
    for (const event of EVENTS) removeEventListener(event, readAndTell);
  };
}
