// Tests of what a window says in German.

import { afterEach, beforeEach } from "vitest";
import { speak } from "../locales/i18n";

const languageChanged = () => dispatchEvent(new Event("quarterdeck-language"));

/** Makes the tests of a block speak German, and those after it English. */
export function inGerman(): void {
  beforeEach(() => {
    localStorage.setItem("quarterdeck.language", "de");
    languageChanged();
    return speak("de");
  });
  afterEach(() => {
    localStorage.clear();
    languageChanged();
    return speak("en");
  });
}
