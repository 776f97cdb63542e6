import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { formatLocale, language, markPage, perLocale, spoken, useLanguage, useLanguageChoice } from "./language";

/** Languages that the computer prefers, the first the most. */
function computer(...tags: string[]) {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(tags);
  dispatchEvent(new Event("languagechange"));
}

function choose(choice: "system" | "en" | "de") {
  const { result } = renderHook(useLanguageChoice);
  act(() => result.current[1](choice));
}

describe("U-2006 the language of the window", () => {
  afterEach(() => {
    // The choice is forgotten before what hears of it is gone.
    choose("system");
    cleanup();
    vi.restoreAllMocks();
  });

  it.each([
    [["de-DE", "en-US"], "de", "de-DE"],
    [["de-CH"], "de", "de-CH"],
    [["en-GB", "de"], "en", "en-GB"],
    [["fr-FR", "de-AT"], "de", "de-AT"],
    [["fr-FR"], "en", undefined],
    [["C", "no_tag"], "en", undefined],
    [[], "en", undefined],
  ])("of a computer that prefers %j is %s, with numbers as %s writes them", (tags, words, locale) => {
    renderHook(useLanguage);
    computer(...tags);
    expect([language(), formatLocale()]).toEqual([words, locale]);
  });

  it("is what was chosen, at once and after a restart, with the region of the computer", () => {
    const { result } = renderHook(useLanguage);
    act(() => computer("en-US", "de-CH"));
    expect(result.current).toBe("en");
    choose("de");
    expect([result.current, formatLocale(), localStorage.getItem("quarterdeck.language")]).toEqual([
      "de",
      "de-CH",
      "de",
    ]);
    act(() => computer("en-US"));
    expect([result.current, formatLocale()]).toEqual(["de", "de"]);
    choose("system");
    expect([result.current, localStorage.getItem("quarterdeck.language")]).toEqual(["en", null]);
  });

  it("names itself to the browser", () => {
    computer("en-US");
    markPage();
    expect(document.documentElement.lang).toBe("en");
    choose("de");
    expect(document.documentElement.lang).toBe("de");
  });

  it("makes what depends on it anew, and only then", () => {
    computer("en-US");
    const made = vi.fn((locale: string | undefined) => new Intl.NumberFormat(locale).format(1.5));
    const one = perLocale(made);
    expect([one(), one(), made.mock.calls.length]).toEqual(["1.5", "1.5", 1]);
    choose("de");
    expect([one(), one(), made.mock.calls.length]).toEqual(["1,5", "1,5", 2]);
  });

  it("speaks without storage, so that STOP ALL keeps its words", () => {
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new DOMException("no storage", "SecurityError");
    });
    computer("de-DE");
    expect(spoken({ en: "Release", de: "Freigabe" })).toBe("Freigabe");
    vi.restoreAllMocks();
  });
});
