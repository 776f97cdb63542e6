import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditFault } from "../../generated/bindings/AuditFault";
import type { UnsignedReason } from "../../generated/bindings/UnsignedReason";
import { everyWord } from "../../host/variants";
import { speak } from "../../locales/i18n";
import { faultText, unsignedSaid } from "./audit-sentences";

const said = (unsigned_kind: UnsignedReason | null, unsigned_because: string | null = "In English.") =>
  unsignedSaid({ unsigned_because, unsigned_kind });

describe("U-2006 why the audit is not signed", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is said in German, with what has to be set", () => {
    expect(said({ code: "variable", variable: "QUARTERDECK_SECRET_X" })).toEqual({
      text: "`QUARTERDECK_SECRET_X` muss 32 Bytes in Base64 enthalten",
      more: null,
    });
    expect(said({ code: "awaited" }).text).toBe("der Schlüssel wird noch gesucht");
  });

  it("has words for every code", () => {
    const codes = everyWord<UnsignedReason["code"]>({
      awaited: true,
      keychain: true,
      keychain_silent: true,
      variable: true,
      no_key: true,
      missing: true,
    });
    const named = { variable: "QUARTERDECK_SECRET_X", name: "audit-signing" };
    const texts = codes.map((code) => said({ ...named, code }).text);
    expect(texts.filter((text) => text === "In English.")).toEqual([]);
  });

  it("keeps what the keychain itself has said", () => expect(said({ code: "keychain" }).more).toBe("In English."));

  it("is the station's sentence for a code that nobody knows, and in English", async () => {
    expect(said({ code: "moonrise" } as unknown as UnsignedReason)).toEqual({ text: "In English.", more: null });
    await speak("en");
    expect(said({ code: "awaited" })).toEqual({ text: "In English.", more: null });
    expect(said(null, null).text).toBe("the station gives no reason");
  });
});

describe("U-2006 what is wrong with a record of the audit", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is said in German, else as the station says it", async () => {
    const fault = "record 7 stands in its place";
    expect(faultText({ fault, fault_kind: { code: "other_seq", found: 7 } })).toBe("an seiner Stelle steht Eintrag 7");
    expect(faultText({ fault, fault_kind: null })).toBe(fault);
    await speak("en");
    expect(faultText({ fault, fault_kind: { code: "other_seq", found: 7 } })).toBe(fault);
  });

  it("has words for every code", () => {
    const codes = everyWord<AuditFault["code"]>({
      unreadable: true,
      other_seq: true,
      other_previous: true,
      changed: true,
      other_anchor: true,
      other_key: true,
      missing: true,
    });
    const named = { found: 7, message: "EOF" };
    const texts = codes.map((code) => faultText({ fault: "In English.", fault_kind: { ...named, code } }));
    expect(texts.filter((text) => text === "In English.")).toEqual([]);
  });
});
