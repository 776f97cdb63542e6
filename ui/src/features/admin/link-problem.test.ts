import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CertificateHindrance } from "../../generated/bindings/CertificateHindrance";
import type { LinkProblem } from "../../generated/bindings/LinkProblem";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { codedText } from "../../locales/station-words";
import { linkProblem } from "./link-problem";

/** A kind without a German sentence does not compile. */
const PROBLEMS: Readonly<Record<LinkProblem["code"], string>> = de.link_problem;
const HINDRANCES: Readonly<Record<CertificateHindrance["code"], string>> = de.certificate_hindrance;

const said = (problem_kind: LinkProblem) => linkProblem({ problem: "In English.", problem_kind });

describe("U-2006 why the link reaches nobody, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("is said by its kind", () => {
    expect(said({ code: "key_gone" })).toBe(PROBLEMS.key_gone);
    expect(said({ code: "restart_needed" })).toBe(
      "Die Zertifikate sind erstellt. Die Station neu starten: Erst dann verwendet sie ihres.",
    );
    expect(linkProblem({ problem: null })).toBeNull();
  });

  it("keeps the keychain's own words, and what a station without kinds says", () => {
    expect(said({ code: "key_unread", message: "locked" })).toBe(`${PROBLEMS.key_unread}: In English.`);
    expect(linkProblem({ problem: "In English." })).toBe("In English.");
  });

  it("names what keeps a robot from getting a certificate", () => {
    const reason = (hindrance: CertificateHindrance) => codedText("certificate_hindrance", hindrance, "In English.");
    expect(reason({ code: "no_name" })).toBe(HINDRANCES.no_name);
    expect(reason({ code: "bad_name", most: 64 })).toBe(
      "Ein certificate_name hat 1 bis 64 Zeichen: a bis z, 0 bis 9, „.“, „-“ und „_“.",
    );
    expect(reason({ code: "revoked", name: "arm.lab" })).toContain("arm.lab ist widerrufen");
  });
});

it("U-2006 in English the station's own sentence stands", () => expect(said({ code: "key_gone" })).toBe("In English."));
