import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SandboxFault } from "../../generated/bindings/SandboxFault";
import type { ServerLoss } from "../../generated/bindings/ServerLoss";
import type { ToolFault } from "../../generated/bindings/ToolFault";
import { speak } from "../../locales/i18n";
import de from "../../locales/station.de.json";
import { lossText, sandboxFaultText, toolFaultText } from "./tool-faults";

/** A code without German words does not compile. */
const LOSSES: Readonly<Record<ServerLoss["code"], string>> = de.server_loss;
const TOOLS: Readonly<Record<ToolFault["code"], string>> = de.tool_fault;
const SANDBOX: Readonly<Record<SandboxFault["code"], string>> = de.sandbox_fault;

const lost = (loss: ServerLoss) => lossText({ reason: "In English.", loss });

describe("U-2006 what is wrong with tools, in German", () => {
  beforeEach(() => speak("de"));
  afterEach(() => speak("en"));

  it("says why a server does not answer", () => {
    expect(lost({ code: "not_up", secs: 10 })).toBe("war nach 10 s nicht bereit");
    expect(lost({ code: "ended" })).toBe(LOSSES.ended);
    expect(lost({ code: "used_up", message: "Ended." })).toBe(`${LOSSES.used_up}: In English.`);
    expect(lossText({ reason: null })).toBeNull();
  });

  it("leaves a server its own words", () => {
    expect(lost({ code: "said", message: "no route" })).toBe("no route");
    expect(lossText({ reason: "In English." })).toBe("In English.");
  });

  it("says why a tool cannot be let, and why no program runs", () => {
    expect(toolFaultText({ problem: "In English.", fault: { code: "no_object" } })).toBe(TOOLS.no_object);
    expect(toolFaultText({ problem: "In English.", fault: { code: "long_description", most: 4096 } })).toBe(
      "Seine Beschreibung hat mehr als 4096 Bytes",
    );
    expect(sandboxFaultText({ problem: "In English.", fault: { code: "needs_linux" } })).toBe(SANDBOX.needs_linux);
    expect([toolFaultText({ problem: null }), sandboxFaultText({ problem: null })]).toEqual([null, null]);
  });
});

it("U-2006 in English the station's own sentence stands", () => expect(lost({ code: "ended" })).toBe("In English."));
