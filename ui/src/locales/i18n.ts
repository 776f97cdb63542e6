// The catalogues of the window's sentences. English is built in and checked by the compiler; another language is a file
// of its own, loaded when it is chosen.

import { createInstance } from "i18next";
import en from "./en.json";
import { type Said, speakStation, stationError } from "./station-words";

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

/** Language that was asked for last. */
let wanted = "en";

/**
 * Loads the catalogue of a language and speaks it from then on, with numbers in the form of `locale`. What cannot be
 * loaded is spoken in English.
 */
export async function speak(language: string, locale: string = language): Promise<void> {
  wanted = language;
  await Promise.all([loadCatalogue(language), speakStation(language, locale)]);
  // Another language may have been asked for meanwhile, and have been there first.
  if (wanted === language) await catalogue.changeLanguage(language);
}

async function loadCatalogue(language: string): Promise<void> {
  const load = LOADED[language];
  if (!load || catalogue.hasResourceBundle(language, "translation")) return;
  try {
    catalogue.addResourceBundle(language, "translation", await load());
  } catch {
    // English, its fallback, is built in.
  }
}

/** The sentence of a code of the station, which may know more of them than the catalogue. */
function sentenceOf(part: keyof Catalogue, code: string): string | null {
  const spoken: unknown = catalogue.getResource(catalogue.language, "translation", part);
  return ownText(spoken, code) ?? ownText(en[part], code);
}

/** A code may be a word of a person's text, such as `constructor`, that every object has something under. */
function ownText(texts: unknown, code: string): string | null {
  if (typeof texts !== "object" || texts === null || !Object.hasOwn(texts, code)) return null;
  const text: unknown = (texts as Readonly<Record<string, unknown>>)[code];
  return typeof text === "string" ? text : null;
}

/** The sentence of an error code, or the station's own where no catalogue has one. */
export function errorSentence(code: string, message: string, details: unknown = null): string {
  return errorSaid(code, message, details).text;
}

/** The same, with the station's own sentence where it says more. */
export function errorSaid(code: string, message: string, details: unknown = null): Said {
  const own = sentenceOf("error", code);
  return own === null ? stationError(code, message, details) : { text: own, more: null };
}

/** Parts of the catalogue that name codes of the station. */
type CodePart =
  | "tier_rule"
  | "row_reject"
  | "cleared"
  | "mission_state"
  | "limit"
  | "audit_field"
  | "audit_act"
  | "audit_outcome"
  | "call_purpose"
  | "call_outcome"
  | "epoch_reason"
  | "memory_trust"
  | "denied_for"
  | "cause"
  | "fallback_class"
  | "fallback_step";

/** A code of the station in words of the catalogue; `unknown`, or the code, where the catalogue does not know it yet. */
export function codeText(part: CodePart, code: string, unknown: string | null = null): string {
  return sentenceOf(part, code) ?? unknown ?? code.replaceAll("_", " ");
}

/** A tier rule in words. */
export function tierRuleText(code: string): string {
  return codeText("tier_rule", code);
}
