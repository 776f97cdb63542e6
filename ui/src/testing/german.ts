// Tests of what a window says in German.

import { afterEach, beforeEach } from "vitest";
import { markPage } from "../host/language";
import { speak } from "../locales/i18n";

const languageChanged = () => dispatchEvent(new Event("quarterdeck-language"));

/** Makes the tests of a block speak German, and those after it English. */
export function inGerman(): void {
  // The language that was read last is kept until somebody listens for another one.
  markPage();
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
