import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobFault } from "../../generated/bindings/JobFault";
import type { MissReason } from "../../generated/bindings/MissReason";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { faultText } from "./job-fault";

/** A fault or a reason without German words does not compile. */
const FAULTS: Readonly<Record<JobFault["code"], string>> = de.job_fault;
const MISSED: Readonly<Record<MissReason, string>> = de.job_missed;

const said = (fault: JobFault) => faultText("In English.", fault);

describe("U-2006 why a run of a job failed, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it.each<[JobFault, string]>([
    [{ code: "interrupted" }, FAULTS.interrupted],
    [{ code: "rejected", reason: "too fast" }, "Abgelehnt: too fast"],
    [{ code: "may_not_call", operation: "send_command" }, "Der Agent darf Befehl senden nicht aufrufen"],
    [{ code: "missed", reason: "no_model", stands_for_more: false }, MISSED.no_model],
    [
      { code: "missed", reason: "beyond_ten", stands_for_more: true },
      "Ausgelassen: Mehr als zehn waren versäumt, ebenso jedes Mal bis zum nächsten Eintrag",
    ],
    [{ code: "other", message: "arm-1 is not armed." }, "arm-1 is not armed."],
  ])("says %o", (fault, text) => expect(said(fault)).toBe(text));

  it("is nothing of a run that did not fail, and the station's own words without a code", () => {
    expect(faultText(null, undefined)).toBeNull();
    expect(faultText("In English.", undefined)).toBe("In English.");
  });
});

it("U-2006 in English the station's own words stand", () => expect(said({ code: "interrupted" })).toBe("In English."));
