import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WarningCode } from "../../generated/bindings/WarningCode";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { warningText } from "./warning-text";

/** A warning without a German sentence does not compile. */
const WARNINGS: Readonly<Record<WarningCode, string>> = de.warning;
const MESSAGE = "no provider can write oven.smoke";

describe("U-2006 warnings about rules and providers, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("are said by their code, with the key they are about", () => {
    expect(warningText({ code: "dangling_key", key: "oven.smoke", message: MESSAGE })).toBe(
      "Kein Provider kann oven.smoke schreiben.",
    );
    expect(warningText({ code: "confidence_unknown", message: "In English." })).toBe(WARNINGS.confidence_unknown);
  });

  it("stay the station's own where their key is not told", () =>
    expect(warningText({ code: "dangling_key", message: MESSAGE })).toBe(MESSAGE));
});

it("U-2006 a warning in English is the station's own sentence", () =>
  expect(warningText({ code: "dangling_key", key: "oven.smoke", message: MESSAGE })).toBe(MESSAGE));
