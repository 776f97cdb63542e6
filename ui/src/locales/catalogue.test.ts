import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { DE as RECORDS_DE, EN as RECORDS_EN } from "../domain/stop/record-sentences";
import { DE as STOP_DE } from "../stop/words-de";
import { EN as STOP_EN } from "../stop/words-en";
import de from "./de.json";
import en from "./en.json";
import { codeText, errorSentence, speak, t } from "./i18n";

type Texts = { [key in string]: string | Texts };

function textsOf(texts: Texts, path = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return typeof text === "string" ? [[at, text] as [string, string]] : textsOf(text, at);
  });
}

const EN = new Map(textsOf(en));
const DE = new Map(textsOf(de));
const german = (key: string) => DE.get(key) ?? "";
const placesOf = (text: string) =>
  [...text.matchAll(/\{\{.*?\}\}/gu)]
    .map(([place]) => place)
    .toSorted()
    .join(" ");

/** Words that are the same in both languages. A text of these, of places, figures and marks may read alike. */
const SHARED = new Set(
  (
    "Admin Agent Alarm Audit Code Cron Deutsch English Filter optional Frame Graph Hash HTTP Hz Import in LIVE Manifest min Mission " +
    "Name Normal Operation Optional operator Person Position Provider Quarterdeck Radius Rate ROS Router SIM Simulator Station STOP ALL " +
    "System Text Token Topic Topics Version h m s x y z D"
  ).split(" "),
);
/** Texts that are typed, in the language of the command interpreter. */
const COMMANDS = new Set(["missions.say_draft", "steps.say_goal", "steps.say_denial"]);

describe("U-2006 the German catalogue", () => {
  it("has the keys of the English one, in the same order", () => expect([...DE.keys()]).toEqual([...EN.keys()]));

  it("has the places of the English sentences", () => {
    const differ = [...EN].filter(([key, text]) => placesOf(text) !== placesOf(german(key)));
    expect(differ.map(([key]) => key)).toEqual([]);
  });

  it.each(["en", "de"])("has a form for every count of %s", (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const texts = language === "en" ? EN : DE;
    const bases = [...texts.keys()]
      .filter((key) => key.endsWith("_other"))
      .map((key) => key.slice(0, -"_other".length));
    const counted = bases.filter((key) => texts.has(`${key}_one`) || texts.get(`${key}_other`)?.includes("{{count}}"));
    expect(counted.length).toBeGreaterThan(0);
    expect(counted.flatMap((key) => forms.map((form) => `${key}_${form}`)).filter((key) => !texts.has(key))).toEqual(
      [],
    );
  });

  it("counts one of a thing as one", async () => {
    const shown = { count: 1, shown: "1", times: "1", tokens: "1", cached: "0" };
    const said = () => [
      t("provider_form.rows", shown),
      t("provider_form.samples", shown),
      t("provider_form.times", shown),
      t("topics.size", shown),
      t("topics.samples", shown),
      t("turn_view.read", shown),
    ];
    expect(said()).toEqual(["1 row", "the last sample", "once", "1 byte", "1 sample", "read 1 token, 0 % from cache"]);
    await speak("de");
    const rest = ["einmal", "1 Byte", "1 Nachricht", "1 Token gelesen, 0 % aus dem Cache"];
    expect(said()).toEqual(["1 Zeile", "der letzten Nachricht", ...rest]);
    await speak("en");
    expect([STOP_EN.sinceMore(1), STOP_DE.sinceMore(1)]).toEqual([
      "and 1 more kind of act: see the audit.",
      "und 1 weitere Art von Handlungen: siehe Audit.",
    ]);
  });

  it("has no word behind a count that has no form of its own", () => {
    // Never one: a bound, a group, or all of many.
    const many =
      "plot.full plot.more entry.newest_lines alarms.flood alarms.group mission_history.all_versions mission_history.older_cut".split(
        " ",
      );
    const formless = (key: string) => !/_(?:one|other)$/u.test(key) && !many.includes(key);
    const left = [...EN, ...DE].filter(([key, text]) => formless(key) && /\{\{count\}\} \p{L}/u.test(text));
    expect(left).toEqual([]);
  });

  it("asks for more wherever the English one does", () => {
    const more = (text: string) => text.endsWith("…");
    expect([...EN].filter(([key, text]) => more(text) !== more(german(key))).map(([key]) => key)).toEqual([]);
  });

  it("leaves nothing in English by accident", () => {
    const own = (text: string) => text.replaceAll(/\{\{.*?\}\}/gu, " ").match(/\p{L}+/gu) ?? [];
    const alike = [...EN].filter(([key, text]) => text === german(key) && !COMMANDS.has(key));
    expect(alike.filter(([, text]) => !own(text).every((word) => SHARED.has(word)))).toEqual([]);
    const english = /\b(the|and|of|with|is|are|not|to|from|your|when|it|this)\b/u;
    const left = [...DE].filter(([key, text]) => !COMMANDS.has(key) && english.test(own(text).join(" ")));
    expect(left).toEqual([]);
  });

  it("is written with German quotation marks", () =>
    expect([...DE].filter(([, text]) => /["'”‘’]|“[^“]*“/u.test(text.replaceAll(/„[^“]*“/gu, "")))).toEqual([]));
});

describe("U-112 the German words for a stop", () => {
  const compiled = (texts: object): string[] =>
    Object.values(texts).flatMap((text: unknown) => {
      if (typeof text === "function") return [(text as (...given: unknown[]) => string)("arm-1", 2, "arm-1")];
      if (typeof text === "string") return [text];
      return typeof text === "object" && text !== null ? compiled(text) : [];
    });

  it("say Not-Halt of the hardware alone", () => {
    const all = [
      ...DE.values(),
      ...compiled({ ...STOP_DE, releaseWhat: "", releaseButton: "", refusal: STOP_DE.refusal("forbidden", "") }),
      ...compiled(RECORDS_DE),
    ];
    expect(all.filter((text) => /not-?halt|not-?aus/iu.test(text.replaceAll(/Hardware-Not-Halte?\b/gu, "")))).toEqual(
      [],
    );
  });

  it("keep the name of STOP ALL, and say all that the English ones say", () => {
    expect(STOP_DE.stopAll).toBe("STOP ALL");
    const plain = (words: object) =>
      Object.entries(words).filter(([, text]) => typeof text === "string" && text !== "");
    const same = plain(STOP_EN).filter(([key, text]) => STOP_DE[key as keyof typeof STOP_DE] === text);
    expect(same.map(([key]) => key)).toEqual(["stopAll", "noSpeed"]);
    const keys = ({ reports, steps }: typeof RECORDS_EN) => [
      ...Object.keys(reports),
      ...Object.entries(steps).flatMap(([step, ends]) => Object.keys(ends).map((end) => `${step} ${end}`)),
    ];
    expect(keys(RECORDS_DE)).toEqual(keys(RECORDS_EN));
  });
});

describe("U-2006 another language", () => {
  afterEach(() => speak("en"));

  it("is spoken once it is loaded, and counts as it does", async () => {
    await speak("de");
    expect([t("nav.overview"), t("overview.alarms", { count: 1 }), t("overview.alarms", { count: 2 })]).toEqual([
      "Übersicht",
      "1 Alarm steht an",
      "2 Alarme stehen an",
    ]);
    await speak("en");
    expect(t("nav.overview")).toBe("Overview");
  });

  it("has words for codes of the station, and the station's own where it has none", async () => {
    await speak("de");
    expect(errorSentence("no_answer", "late")).toBe("Die Station hat nicht rechtzeitig geantwortet.");
    expect(errorSentence("arm_broken", "The arm is broken.")).toBe("The arm is broken.");
    expect([codeText("mission_state", "draft"), codeText("row_reject", "no_such_code")]).toEqual([
      "Entwurf",
      "no such code",
    ]);
  });

  it("has no words for a code that is only the name of something every object has", () =>
    expect(codeText("audit_field", "constructor")).toBe("constructor"));

  it("is English where it cannot be loaded", async () => {
    await speak("xx");
    expect(t("nav.overview")).toBe("Overview");
  });
});

it("U-1704 every operation has words of its own", () => {
  const operations = readFileSync(new URL("../generated/operations.ts", import.meta.url), "utf8");
  const names = [...operations.matchAll(/^ {2}(\w+): \{/gmu)].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !EN.has(`audit_act.${name}`))).toEqual([]);
});
