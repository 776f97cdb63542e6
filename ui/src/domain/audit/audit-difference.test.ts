import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditDifference } from "../../generated/bindings/AuditDifference";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { differenceTexts } from "./audit-sentences";

/** A difference without a German sentence does not compile. */
const DIFFERENCES: Readonly<Record<AuditDifference["code"], string>> = de.audit_difference;
const KINDS: AuditDifference[] = [
  { code: "broken", seq: 9, fault: { code: "missing" } },
  { code: "mark_gone" },
  { code: "cut", marked: 12, last: 7 },
];
const state = { found: ["One.", "Two.", "Three.", "Four."], found_kinds: KINDS };

describe("U-2006 differences of the audit, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("are said by their kind, with the fault of a record", () =>
    expect(differenceTexts(state)).toEqual([
      "Das Audit ist bei Eintrag 9 gebrochen: er fehlt.",
      DIFFERENCES.mark_gone,
      "Das Audit endet bei Eintrag 7, geschrieben war aber Eintrag 12: Sein Ende wurde abgeschnitten.",
      "Four.",
    ]));
});

it("U-2006 differences of the audit in English are the station's own sentences", () =>
  expect(differenceTexts(state)).toEqual(state.found));
