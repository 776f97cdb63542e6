import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StopReason } from "../../generated/bindings/StopReason";
import { stopReasonText } from "./stop-reasons";

const speakGerman = () => {
  localStorage.setItem("quarterdeck.language", "de");
  dispatchEvent(new Event("quarterdeck-language"));
};

describe("U-112 the reason for a stop", () => {
  beforeEach(speakGerman);
  afterEach(() => {
    localStorage.clear();
    dispatchEvent(new Event("quarterdeck-language"));
  });

  it.each<[StopReason, string]>([
    [{ code: "given", words: "a child in the cell" }, "a child in the cell"],
    [{ code: "typed", words: "stop it" }, "getippt: stop it"],
    [{ code: "drill" }, "Probe des Stopps"],
    [{ code: "at_the_robot" }, "von jemand anderem am Roboter gestoppt"],
    [{ code: "locked_earlier" }, "seit einem früheren Lauf gesperrt"],
    [{ code: "cause", cause: "breach" }, "Der Roboter ist, wo er nicht sein darf."],
    [{ code: "denied", sentence: "Denied: speed." }, "Befehl eines Agenten verweigert: Denied: speed."],
  ])("is said in German: %o", (reason, text) => expect(stopReasonText("In English.", reason)).toBe(text));

  it("is the station's sentence for a code or a cause that nobody knows, and where none was kept", () => {
    expect(stopReasonText("In English.", { code: "moonrise" } as unknown as StopReason)).toBe("In English.");
    expect(stopReasonText("In English.", { code: "cause", cause: "moonrise" } as unknown as StopReason)).toBe(
      "In English.",
    );
    expect(stopReasonText("In English.", null)).toBe("In English.");
  });
});
