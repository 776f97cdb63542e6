import { describe, expect, it } from "vitest";
import type { ControlHolder } from "../../generated/bindings/ControlHolder";
import { holdingOf, holdingText, holdingWord } from "./holder";

const person = (session: string, exclusive: boolean): ControlHolder => ({
  person: { session, name: "ben", desk: "browser", exclusive },
});

describe("U-701 the holder of a robot", () => {
  it.each<[ControlHolder, string, string]>([
    [person("mine", true), "You", "You"],
    [person("mine", false), "You (agent by approval)", "You"],
    [person("theirs", true), "ben, browser", "Other"],
    [{ agent: { id: "main" } }, "Agent", "Agent"],
    ["local", "Pendant or other commander", "Local"],
    ["nobody", "Nobody", "Nobody"],
    ["unknown", "Unknown – link lost", "Unknown"],
  ])("%o reads %s", (holder, text, word) => {
    const holding = holdingOf(holder, "mine");
    expect([holdingText(holding), holdingWord(holding)]).toEqual([text, word]);
  });

  it("is nobody's own before anybody is signed in", () =>
    expect(holdingOf(person("mine", true), undefined).by).toBe("other"));
});
