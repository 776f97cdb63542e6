// The catalogue of the window's sentences. One language so far; keys are checked by the compiler.

import { createInstance } from "i18next";
import en from "./en.json";

declare module "i18next" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

const catalogue = createInstance();
void catalogue.init({
  lng: "en",
  resources: { en: { translation: en } },
  initAsync: false,
  interpolation: { escapeValue: false },
});

/** The sentence of a key. */
export const t = catalogue.t;

/** The sentence of an error code, or the station's own where the catalogue has none. */
export function errorSentence(code: string, fallback: string): string {
  const sentences: Record<string, string> = en.error;
  return sentences[code] ?? fallback;
}

/** A tier rule in words, or its code where the catalogue does not know it yet. */
export function tierRuleText(code: string): string {
  const sentences: Record<string, string> = en.tier_rule;
  return sentences[code] ?? code.replaceAll("_", " ");
}
