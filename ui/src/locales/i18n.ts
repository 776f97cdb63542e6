// The catalogues of the window's sentences. English is built in and checked by the compiler; another language is a file
// of its own, loaded when it is chosen.

import { createInstance } from "i18next";
import en from "./en.json";

declare module "i18next" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

/** A catalogue has exactly the keys of the English one. */
type Catalogue = typeof en;

const catalogue = createInstance();
void catalogue.init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: { translation: en } },
  initAsync: false,
  interpolation: { escapeValue: false },
});

const LOADED: Readonly<Record<string, () => Promise<Catalogue>>> = {
  de: async () => (await import("./de.json")).default,
};

/** The sentence of a key. */
export const t = catalogue.t;

/** Loads the catalogue of a language and speaks it from then on. What cannot be loaded is spoken in English. */
export async function speak(language: string): Promise<void> {
  const load = LOADED[language];
  if (load && !catalogue.hasResourceBundle(language, "translation")) {
    try {
      catalogue.addResourceBundle(language, "translation", await load());
    } catch {
      // English, its fallback, is built in.
    }
  }
  await catalogue.changeLanguage(language);
}

/** Sentences of a part of the catalogue by codes of the station, which may know more of them than the catalogue. */
function sentencesOf(part: keyof Catalogue): Partial<Record<string, string>> {
  const spoken: unknown = catalogue.getResource(catalogue.language, "translation", part);
  return { ...en[part], ...(spoken as Record<string, string> | undefined) } as Partial<Record<string, string>>;
}

/** The sentence of an error code, or the station's own where the catalogue has none. */
export function errorSentence(code: string, fallback: string): string {
  return sentencesOf("error")[code] ?? fallback;
}

/** A code of the station in words of the catalogue, or the code where the catalogue does not know it yet. */
export function codeText(part: "tier_rule" | "row_reject" | "mission_state" | "limit", code: string): string {
  return sentencesOf(part)[code] ?? code.replaceAll("_", " ");
}

/** A tier rule in words. */
export function tierRuleText(code: string): string {
  return codeText("tier_rule", code);
}
